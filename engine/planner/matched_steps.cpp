#include "planner/matched_steps.h"

#include "base/error.h"
#include "plan/aggregate_results.h"
#include "plan/merge_aggregate.h"
#include "types/same_values.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace accelerant::planner {

using expressions::Slot;
using plan::AggregateStep;
using plan::StepCall;
using plan::StepMode;

namespace {

[[noreturn]] void throw_unmatched() { throw_unsupported(plan::kUnmatchedSteps); }

/// All steps, lowest first.
std::vector<const AggregateStep*> all_of(const MatchedSteps& steps) {
  std::vector<const AggregateStep*> all{steps.lowest.get()};
  for (const plan::NodePtr& merge : steps.merges) all.push_back(&merge->as<plan::MergeAggregate>());
  all.push_back(steps.last.get());
  return all;
}

/// Spark gives a DISTINCT function a new id in each step.
void require_same_function(const StepCall& lower, const StepCall& upper) {
  const bool same_id = lower.result_id == upper.result_id || (lower.is_distinct && upper.is_distinct);
  if (!same_id || lower.spark_class != upper.spark_class) throw_unmatched();
}

/// A step that only merges stands for the lowest one.
void require_merge_of(const AggregateStep& lowest, const AggregateStep& merge) {
  if (lowest.calls.size() != merge.calls.size()) throw_unmatched();
  for (size_t i = 0; i < lowest.calls.size(); ++i) {
    if (merge.calls[i].mode != StepMode::Merges) throw_unmatched();
    require_same_function(lowest.calls[i], merge.calls[i]);
  }
}

/// Returns the function of the lowest step that one of a step above it merges.
const StepCall& merged_by(const AggregateStep& lowest, const StepCall& merge) {
  const auto found = std::ranges::find(lowest.calls, merge.result_id, &StepCall::result_id);
  if (merge.mode != StepMode::Merges || found == lowest.calls.end()) throw_unmatched();
  require_same_function(*found, merge);
  return *found;
}

void throw_if_refused(const std::vector<const AggregateStep*>& steps) {
  std::string reasons;
  for (const AggregateStep* step : steps) {
    if (!step->refusal.empty()) reasons += (reasons.empty() ? "" : "; ") + step->refusal;
  }
  if (!reasons.empty()) throw_unsupported(reasons);
}

/// Follows columns down the steps to the keys of the lowest one.
class Keys {
 public:
  explicit Keys(const std::vector<const AggregateStep*>& steps) : steps_(steps) {}

  /// Returns the lowest step's key that a column of a step's input is; nullopt: it is none.
  std::optional<int> at(size_t step, std::optional<int> column) const {
    for (; column && step > 0; --step) {
      const std::optional<int> key = steps_[step - 1]->given_keys[static_cast<size_t>(*column)];
      if (!key || step == 1) return key;
      column = steps_[step - 1]->input->input_of(*key);
    }
    return std::nullopt;
  }

  /// Returns what the keys of a step are.
  std::vector<int> of(size_t step) const {
    std::vector<int> keys;
    for (size_t key = 0; key < steps_[step]->keys.size(); ++key) {
      const auto found = step == 0 ? std::optional(static_cast<int>(key))
                                   : at(step, steps_[step]->input->input_of(static_cast<int>(key)));
      if (!found) throw_unmatched();
      keys.push_back(*found);
    }
    return keys;
  }

  /// Fails unless steps group by what the others leave to them: those that only merge by all, the last two alike.
  void check() const {
    const size_t last = steps_.size() - 1;
    for (size_t step = 1; step + 1 < last; ++step) require_same(0, step);
    require_same(last - 1, last);
  }

 private:
  /// Says whether a step's keys can be followed: what is refused may lack its program.
  bool is_known(size_t step) const {
    return std::all_of(steps_.begin() + 1, steps_.begin() + static_cast<std::ptrdiff_t>(step) + 1,
                       [](const AggregateStep* one) { return one->input != nullptr; });
  }

  void require_same(size_t one, size_t other) const {
    if (!is_known(one) || !is_known(other)) return;
    const std::vector<int> a = of(one);
    const std::vector<int> b = of(other);
    if (std::set<int>(a.begin(), a.end()) != std::set<int>(b.begin(), b.end())) throw_unmatched();
  }

  const std::vector<const AggregateStep*>& steps_;
};

void match(const std::vector<const AggregateStep*>& steps) {
  const AggregateStep& last = *steps.back();
  const AggregateStep& below = *steps[steps.size() - 2];
  for (size_t i = 1; i + 2 < steps.size(); ++i) require_merge_of(*steps.front(), *steps[i]);
  if (below.calls.size() != last.calls.size()) throw_unmatched();
  for (size_t i = 0; i < last.calls.size(); ++i) {
    require_same_function(below.calls[i], last.calls[i]);
    if (last.calls[i].has_filter) throw_unsupported("a filter in a final aggregate");
  }
  Keys(steps).check();
  throw_if_refused(steps);
}

/// Puts keys and arguments of the lowest step together, as far as the last one has them.
class StepInputs {
 public:
  StepInputs(const MatchedSteps& steps, const std::vector<const AggregateStep*>& all)
      : keys_(all),
        num_steps_(all.size()),
        columns_(plan::in_place(steps.lowest->inputs.front()->output.size())),
        lowest_(builder_.include_all(*all.front()->input, columns_)) {}

  void add_keys(const AggregateStep& lowest, plan::Aggregate& node) {
    for (const int key : keys_.of(num_steps_ - 1)) {
      node.keys.push_back(lowest.keys[static_cast<size_t>(key)]);
      outputs_.push_back(lowest_[static_cast<size_t>(key)]);
    }
  }

  plan::AggregateCall call_of_lowest(const StepCall& step_call) {
    plan::AggregateCall call = step_call.call.value();
    for (int& argument : call.arguments) argument = place(lowest_[static_cast<size_t>(argument)]);
    return call;
  }

  /// Makes a function DISTINCT that takes in what the steps below it group by, or constants.
  plan::AggregateCall call_of_merge(const AggregateStep& merge, const StepCall& step_call) {
    plan::AggregateCall call = step_call.call.value();
    for (int& argument : call.arguments) argument = place(slot_of(*merge.input, argument));
    return call;
  }

  plan::ProgramPtr finish() { return std::move(builder_).finish(outputs_); }

 private:
  Slot slot_of(const expressions::Program& program, int output) {
    if (program.constant_of(output)) return *builder_.include(program, output, columns_);
    const std::optional<int> key = keys_.at(num_steps_ - 2, program.input_of(output));
    if (!key) throw_unsupported("a DISTINCT argument that the step below does not group by");
    return lowest_[static_cast<size_t>(*key)];
  }

  int place(Slot slot) {
    const auto found = std::ranges::find(outputs_, slot);
    const auto position = static_cast<int>(found - outputs_.begin());
    if (found == outputs_.end()) outputs_.push_back(slot);
    return position;
  }

  const Keys keys_;
  const size_t num_steps_;
  const plan::ColumnPositions columns_;
  expressions::ProgramBuilder builder_;
  const std::vector<Slot> lowest_;
  std::vector<Slot> outputs_;
};

void add_calls(StepInputs& inputs, const std::vector<const AggregateStep*>& steps, plan::Aggregate& node) {
  const AggregateStep& below = *steps[steps.size() - 2];
  const bool is_lowest = steps.size() == 2;
  const auto is_distinct = [&](const StepCall& call) {
    return !is_lowest && call.mode == StepMode::TakesRows && call.is_distinct;
  };
  node.calls.resize(below.calls.size());
  // DISTINCT ones first: their arguments are among the keys of the lowest step, whose errors come before others.
  for (size_t i = 0; i < below.calls.size(); ++i) {
    if (is_distinct(below.calls[i])) node.calls[i] = inputs.call_of_merge(below, below.calls[i]);
  }
  for (size_t i = 0; i < below.calls.size(); ++i) {
    const StepCall& call = below.calls[i];
    if (is_distinct(call)) continue;
    node.calls[i] = inputs.call_of_lowest(is_lowest ? call : merged_by(*steps.front(), call));
  }
}

}  // namespace

std::shared_ptr<plan::Aggregate> aggregate_of(const MatchedSteps& steps) {
  const std::vector<const AggregateStep*> all = all_of(steps);
  match(all);
  auto node = std::make_shared<plan::Aggregate>();
  StepInputs inputs(steps, all);
  inputs.add_keys(*all.front(), *node);
  const auto same_type = [](const plan::OutputColumn& a, const plan::OutputColumn& b) {
    return types::same_values(a.type, b.type);
  };
  if (!std::ranges::equal(node->keys, steps.last->keys, same_type)) throw_unmatched();
  add_calls(inputs, all, *node);
  for (size_t i = 0; i < node->calls.size(); ++i) plan::check_result(steps.last->results[i], node->calls[i]);
  node->plan_node = steps.last->plan_node;
  node->fused.push_back(steps.lowest->plan_node);
  for (const plan::NodePtr& merge : steps.merges) node->fused.push_back(merge->plan_node);
  node->input = inputs.finish();
  node->spark_sorts = steps.lowest->spark_sorts;
  // Beside DISTINCT, unlike a function that always is, Spark's rows are parted anew.
  const auto is_made_distinct = [](const plan::AggregateCall& call) {
    return call.distinct && !call.description().is_distinct;
  };
  node->adds_few_in_order = steps.merges.empty() &&
                            std::ranges::any_of(node->calls, &plan::AggregateCall::adds_few_in_order) &&
                            std::ranges::none_of(node->calls, is_made_distinct);
  node->result = steps.last->result;
  node->output = steps.last->output;
  node->inputs = steps.lowest->inputs;
  static_cast<plan::Spreading&>(*node) = steps.last->spreading;
  return node;
}

}  // namespace accelerant::planner
