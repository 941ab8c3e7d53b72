#include "planner/grouping_sets.h"

#include "expressions/program.h"
#include "plan/expand.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using columns::ColumnPtr;
using expressions::Slot;
using operators::GroupingSet;

namespace {

constexpr size_t kMostSets = 16;
/// Of each, workers have what finds groups, and memory to write them.
constexpr int64_t kLeastBytesOfSet = 32 << 20;

std::optional<int64_t> number_of(const columns::Column* constant) {
  if (!constant || constant->is_null(0)) return std::nullopt;
  if (constant->type().is(types::TypeId::Int)) return constant->values<int32_t>()[0];
  if (constant->type().is(types::TypeId::Long)) return constant->values<int64_t>()[0];
  return std::nullopt;
}

/// Returns the constants that keys are in the rows of a projection.
std::vector<ColumnPtr> constant_keys(const plan::Aggregate& aggregate, const expressions::Program& projection) {
  std::vector<ColumnPtr> constants;
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    const std::optional<int> column = aggregate.input->input_of(static_cast<int>(key));
    constants.push_back(column ? projection.constant_of(*column) : nullptr);
  }
  return constants;
}

/// Returns the columns, of an expansion's input, that the keys are in the rows of a projection; nullopt: of those that
/// are none.
std::vector<std::optional<int>> columns_of_keys(const plan::Aggregate& aggregate,
                                                const expressions::Program& projection) {
  std::vector<std::optional<int>> columns;
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    const std::optional<int> column = aggregate.input->input_of(static_cast<int>(key));
    columns.push_back(column ? projection.input_of(*column) : std::nullopt);
  }
  return columns;
}

/// Returns, of the sets before the last one, that of the fewest keys among which are all of the last one's; nullopt:
/// there is none.
std::optional<size_t> finer_set(const plan::Aggregate& aggregate, const plan::Expand& expand,
                                const std::vector<GroupingSet>& sets) {
  const size_t last = sets.size() - 1;
  const auto columns = columns_of_keys(aggregate, *expand.projections[last]);
  std::optional<size_t> finer;
  for (size_t set = 0; set < last; ++set) {
    const auto others = columns_of_keys(aggregate, *expand.projections[set]);
    bool has_all = true;
    for (size_t key = 0; key < columns.size() && has_all; ++key) {
      if (sets[last].constants[key]) continue;
      has_all = columns[key] && columns[key] == others[key] && !sets[set].constants[key];
    }
    if (has_all && (!finer || sets[set].node->keys.size() <= sets[*finer].node->keys.size())) finer = set;
  }
  return finer;
}

/// Returns an aggregate by some of the keys.
std::shared_ptr<const plan::Aggregate> with_keys(const plan::Aggregate& all, const std::vector<ColumnPtr>& constants) {
  auto node = std::make_shared<plan::Aggregate>(all);
  static_cast<plan::Spreading&>(*node) = {};
  node->keys.clear();
  std::vector<int> outputs;  // of the input program: keys, then what calls read
  for (size_t key = 0; key < constants.size(); ++key) {
    if (constants[key]) continue;
    node->keys.push_back(all.keys[key]);
    outputs.push_back(static_cast<int>(key));
  }
  for (plan::AggregateCall& call : node->calls) {
    for (int& argument : call.arguments) {
      const auto found = std::ranges::find(outputs, argument);
      const auto place = static_cast<int>(found - outputs.begin());
      if (found == outputs.end()) outputs.push_back(argument);
      argument = place;
    }
  }
  expressions::ProgramBuilder builder;
  const auto columns = plan::in_place(all.inputs.front()->output.size());
  std::vector<Slot> slots;
  for (const int output : outputs) slots.push_back(*builder.include(*all.input, output, columns));
  node->input = std::move(builder).finish(slots);
  return node;
}

/// Returns the number that an integer column is in the rows of each projection; empty where it is no constant, or the
/// same one in two.
std::vector<int64_t> telling_numbers(const plan::Expand& expand, int column) {
  std::vector<int64_t> numbers;
  for (const auto& projection : expand.projections) {
    const std::optional<int64_t> number = number_of(projection->constant_of(column).get());
    if (!number || std::ranges::find(numbers, *number) != numbers.end()) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// Returns the key whose column tells the projections of the expansion apart; nullopt: none.
std::optional<int> telling_key(const plan::Aggregate& aggregate, const plan::Expand& expand) {
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    const std::optional<int> column = aggregate.input->input_of(static_cast<int>(key));
    if (column && !telling_numbers(expand, *column).empty()) return static_cast<int>(key);
  }
  return std::nullopt;
}

}  // namespace

std::optional<operators::GroupingSets> grouping_sets(const plan::Aggregate& aggregate) {
  if (!aggregate.inputs.front()->is<plan::Expand>()) return std::nullopt;
  const auto& expand = aggregate.inputs.front()->as<plan::Expand>();
  const size_t num_sets = expand.projections.size();
  if (expand.in_row_order || num_sets > kMostSets) return std::nullopt;
  const std::optional<int> telling = telling_key(aggregate, expand);
  if (!telling) return std::nullopt;

  operators::GroupingSets parts{
      *aggregate.input->input_of(*telling), {}, static_cast<int64_t>(num_sets) * kLeastBytesOfSet};
  const std::vector<int64_t> numbers = telling_numbers(expand, parts.telling_column);
  bool has_fewer_keys = false;
  for (size_t i = 0; i < numbers.size(); ++i) {
    std::vector<ColumnPtr> constants = constant_keys(aggregate, *expand.projections[i]);
    const auto num_constants = std::ranges::count_if(constants, [](const ColumnPtr& one) { return one != nullptr; });
    has_fewer_keys |= num_constants > 1;
    // One group has a key, too: without any there is one where no row came.
    if (static_cast<size_t>(num_constants) == constants.size()) constants[static_cast<size_t>(*telling)] = nullptr;
    auto node = with_keys(aggregate, constants);
    parts.sets.push_back({std::move(node), numbers[i], std::move(constants)});
    parts.sets.back().finer = finer_set(aggregate, expand, parts.sets);
  }
  if (!has_fewer_keys) return std::nullopt;
  return parts;
}

}  // namespace accelerant::planner
