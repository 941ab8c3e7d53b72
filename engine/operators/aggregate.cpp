#include "operators/aggregate.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "operators/code_counts.h"
#include "operators/expression_error.h"
#include "operators/group_finder.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

struct AggregateState final : State {
  AggregateState(const plan::Aggregate& node, const execution::OperatorContext& ctx)
      : evaluator(node.input, ctx.budget, ctx.plan_node, ctx.parameters),
        group_finder(node.key_types()),
        groups(std::make_unique<GroupSet>(node, group_finder.key_bytes(), ctx)) {}

  expressions::Evaluator evaluator;
  GroupFinder group_finder;
  CodeCounts code_counts;
  std::unique_ptr<GroupSet> groups;
};

/// Raises the first error among a batch's keys and arguments. Which rows Spark evaluates the value of `first` in
/// depends on its partitions; where Spark sorts, a later row may fail below first. Only Spark can tell then whether the
/// error counts, so that the query turns back if it can.
void raise_error(const Batch& batch, const plan::Aggregate& node, const execution::OperatorContext& ctx) {
  if (batch.errors.empty()) return;
  const columns::RowError& error = batch.errors.front();
  if (error.plan_node == ctx.plan_node) {
    const auto skips = [](const plan::AggregateCall& call) { return call.description().skips_values; };
    if (std::ranges::any_of(node.calls, skips)) {
      throw ExpressionError(error, ErrorKind::Unsupported, "first, max_by or min_by beside an argument that fails");
    }
    if (node.spark_sorts) {
      throw ExpressionError(error, ErrorKind::Unsupported, "a row fails in an aggregate for which Spark sorts first");
    }
  }
  raise_first_error(batch);
}

/// Adds the rows of the one group by the dictionary of the function's argument, if it has one; returns false where it
/// can't.
bool update_by_codes(aggregates::Accumulator& accumulator, const plan::AggregateCall& call, const Batch& batch,
                     CodeCounts& code_counts) {
  if (call.arguments.size() != 1) return false;
  const columns::Column& argument = *batch.columns[static_cast<size_t>(call.arguments.front())];
  if (!argument.is_dictionary()) return false;
  const std::span<const int64_t> times = code_counts.of(argument);
  return !times.empty() && accumulator.update_repeated(argument.child_values(), times);
}

}  // namespace

AggregateSink::AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx,
                             std::shared_ptr<DeviceAggregation> device)
    : node_(std::move(node)),
      ctx_(ctx),
      result_(std::make_shared<GroupedStates>(node_, ctx)),
      device_(std::move(device)) {}

std::unique_ptr<State> AggregateSink::make_state() { return std::make_unique<AggregateState>(*node_, ctx_); }

Step AggregateSink::consume(State& state, Batch& in) {
  auto& worker = static_cast<AggregateState&>(state);
  Batch batch = worker.evaluator.project(in);
  raise_error(batch, *node_, ctx_);
  if (batch.num_selected() == 0) return Step::needs_input();
  if (batch.num_selected() * 2 < batch.num_rows) batch = columns::compact(std::move(batch), ctx_.budget);

  GroupSet& groups = *worker.groups;
  aggregates::GroupedRows rows{nullptr, batch.num_rows, 2};
  if (!node_->keys.empty() || batch.selection) {
    rows.groups = worker.group_finder.find(batch, node_->keys.size(), groups.table, ctx_.budget).data();
    rows.num_groups = groups.table.num_groups();
    groups.places.note(rows.num_groups, batch);
  } else if (groups.table.num_groups() == 1) {
    groups.table.find_or_insert({}, GroupTable::hash({}));
  }
  groups.resize();
  groups.num_rows += batch.num_selected();
  rows.batch = place_of(batch);
  std::vector<ColumnPtr> arguments;
  worker.code_counts.start_batch();
  for (size_t i = 0; i < node_->calls.size(); ++i) {
    if (!rows.groups && update_by_codes(*groups.accumulators[i], node_->calls[i], batch, worker.code_counts)) continue;
    arguments.clear();
    for (const int argument : node_->calls[i].arguments)
      arguments.push_back(columns::flatten(batch.columns[static_cast<size_t>(argument)], ctx_.budget));
    groups.accumulators[i]->update(rows, arguments);
  }
  if (groups.table.num_groups() > GroupedStates::kMaxOwnGroups && result_->wants_small_sets()) {
    result_->add(groups);
    groups = GroupSet(*node_, worker.group_finder.key_bytes(), ctx_);
    groups.table.reserve(GroupedStates::kMaxOwnGroups);
  }
  return Step::needs_input();
}

void AggregateSink::combine(State& state) {
  auto& worker = static_cast<AggregateState&>(state);
  result_->add(*worker.groups);
  worker.groups.reset();
}

void AggregateSink::finish() {
  if (device_) {
    for (const codegen::GroupPart& part : device_->take()) add(part);
  }
  result_->finish();
}

void AggregateSink::add(const codegen::GroupPart& part) {
  GroupFinder group_finder(node_->key_types());
  GroupSet groups(*node_, group_finder.key_bytes(), ctx_);
  Batch keys;
  keys.num_rows = part.num_groups;
  keys.columns = part.keys;
  std::vector<int32_t> numbers(static_cast<size_t>(part.num_groups));
  if (!part.keys.empty()) {
    const std::span<const int32_t> found = group_finder.find(keys, part.keys.size(), groups.table, ctx_.budget);
    numbers.assign(found.begin(), found.end());
  } else {
    for (int32_t& number : numbers) number = groups.table.find_or_insert({}, GroupTable::hash({}));
  }
  groups.resize();
  for (size_t i = 0; i < node_->calls.size(); ++i) groups.accumulators[i]->merge_words(part.states[i], numbers);
  result_->add(groups);
}

namespace {

/// Groups as other stages read them.
class AggregateRows final : public StageRows {
 public:
  AggregateRows(std::shared_ptr<GroupedStates> groups, const execution::OperatorContext& ctx)
      : groups_(std::move(groups)), ctx_(ctx) {}

  std::unique_ptr<Source> make_source(int index, int count) const override {
    groups_->prepare(count == 1);
    const int first = GroupedStates::kPartitions * index / count;
    const int last = GroupedStates::kPartitions * (index + 1) / count;
    return std::make_unique<AggregateSource>(groups_, first, last, ctx_);
  }

 private:
  const std::shared_ptr<GroupedStates> groups_;
  const execution::OperatorContext ctx_;
};

}  // namespace

void AggregateSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<AggregateRows>(result_, ctx_));
}

namespace {

struct AggregateSourceState final : State {
  int partition = -1;  ///< the one being read
  std::span<const GroupSet> sets;
  int64_t next_group = 0;  ///< of the first set
  int64_t sequence = 0;

  /// Passes over sets of which all groups were read.
  void drop_read_sets() {
    while (!sets.empty() && next_group == num_groups()) {
      sets = sets.subspan(1);
      next_group = 0;
    }
  }
  int64_t num_groups() const { return sets.front().table.num_groups() - 1; }
};

}  // namespace

std::unique_ptr<State> AggregateSource::make_state() { return std::make_unique<AggregateSourceState>(); }

Step AggregateSource::next(State& state, Batch& out) {
  auto& worker = static_cast<AggregateSourceState&>(state);
  if (worker.partition < 0) {
    const int taken = taken_.fetch_add(1, std::memory_order_relaxed);
    if (first_ + taken >= last_) return Step::finished();
    worker.partition = first_ + taken;
    worker.sets = groups_->partition(worker.partition);
    worker.sequence = 0;
    worker.next_group = 0;
  }
  const GroupSet& set = worker.sets.front();
  const int64_t length = std::min(worker.num_groups() - worker.next_group, ctx_.batch_rows);
  out = groups_->read(set, worker.next_group, length);
  worker.next_group += length;
  worker.drop_read_sets();
  out.morsel = worker.partition - first_;
  out.sequence = worker.sequence++;
  if (groups_->is_in_order()) out.morsels_before = out.morsel;
  out.ends_morsel = worker.sets.empty();
  if (out.ends_morsel) worker.partition = -1;
  return Step::has_output();
}

}  // namespace accelerant::operators
