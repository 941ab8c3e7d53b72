#include "operators/count_distinct_accumulator.h"

#include "base/error.h"
#include "columns/value_reader.h"
#include "execution/context.h"
#include "memory/array.h"
#include "operators/distinct_lists.h"
#include "operators/distinct_pairs.h"
#include "types/floating.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace accelerant::operators {

using aggregates::Accumulator;
using aggregates::Arguments;
using aggregates::GroupedRows;
using columns::ColumnPtr;

namespace {

/// Returns the bits by which values are equal.
template <class T>
uint64_t bits_of_value(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == sizeof(uint64_t), uint64_t, uint32_t>;
    return std::bit_cast<Bits>(types::normalize_nan_and_zero(value));
  } else {
    return static_cast<uint64_t>(value);
  }
}

/// The values of groups, group by group.
struct ValueLists {
  memory::Reservation memory;
  std::vector<size_t> starts;  ///< by group, and the end
  std::vector<uint64_t> values;

  std::span<const uint64_t> of(int32_t group) const {
    const auto at = static_cast<size_t>(group);
    return std::span(values).subspan(starts[at], starts[at + 1] - starts[at]);
  }
  /// Lists the values of `from[i]` as those of i + 1.
  ValueLists chosen(std::span<const int32_t> from, const std::shared_ptr<memory::Budget>& budget) const {
    size_t num_values = 0;
    for (const int32_t group : from) num_values += of(group).size();
    ValueLists lists;
    lists.memory = memory::Reservation(
        budget, static_cast<int64_t>((from.size() + 2) * sizeof(size_t) + num_values * sizeof(uint64_t)));
    lists.starts.reserve(from.size() + 2);
    lists.starts.assign(2, 0);
    lists.values.reserve(num_values);
    for (const int32_t group : from) {
      const std::span<const uint64_t> those = of(group);
      lists.values.insert(lists.values.end(), those.begin(), those.end());
      lists.starts.push_back(lists.values.size());
    }
    return lists;
  }
};

/// Lists the values of `groups[i]` as those of i + 1.
/// @param counts of the values of all groups
ValueLists list_values(const DistinctPairs& pairs, std::span<const int64_t> counts, std::span<const int32_t> groups,
                       const std::shared_ptr<memory::Budget>& budget, const execution::Cancellation* cancellation) {
  int64_t num_values = 0;
  for (const int32_t group : groups) num_values += counts[static_cast<size_t>(group)];
  const size_t num_bytes = 2 * (groups.size() + 2) * sizeof(size_t) +
                           static_cast<size_t>(num_values) * sizeof(uint64_t) + (counts.size() + 1) * sizeof(int32_t);
  ValueLists lists;
  lists.memory = memory::Reservation(budget, static_cast<int64_t>(num_bytes));
  std::vector<int32_t> number_of(std::max<size_t>(counts.size(), 1));  // 0: not listed
  lists.starts.reserve(groups.size() + 2);
  lists.starts.assign(2, 0);
  for (const int32_t group : groups) {
    number_of[static_cast<size_t>(group)] = static_cast<int32_t>(lists.starts.size() - 1);
    lists.starts.push_back(lists.starts.back() + static_cast<size_t>(counts[static_cast<size_t>(group)]));
  }
  lists.values.resize(static_cast<size_t>(num_values));
  std::vector<size_t> next = lists.starts;
  pairs.for_each_place(cancellation, [&](const GroupValue& pair) {
    const auto number = static_cast<size_t>(number_of[static_cast<size_t>(pair.group)]);
    if (number != 0) lists.values[next[number]++] = pair.value;
  });
  // Without what was needed to make them.
  lists.memory.resize(
      static_cast<int64_t>(lists.starts.size() * sizeof(size_t) + lists.values.size() * sizeof(uint64_t)));
  return lists;
}

template <class T>
class CountDistinctAccumulator final : public Accumulator {
 public:
  /// @param cancellation looked at while much is moved; nullptr: none
  CountDistinctAccumulator(const std::shared_ptr<memory::Budget>& budget, const execution::Cancellation* cancellation)
      : budget_(budget), cancellation_(cancellation), counts_(budget), pairs_(budget, cancellation) {}

  void resize(int64_t num_groups) override { counts_.resize(num_groups); }

  void update(const GroupedRows& rows, Arguments arguments) override {
    const columns::ValueReader<T> value(*arguments.front());
    const memory::Reservation memory(budget_, rows.num_rows * static_cast<int64_t>(sizeof(GroupValue)));
    std::vector<GroupValue> pairs;
    pairs.reserve(static_cast<size_t>(rows.num_rows));
    aggregates::for_each_value(rows, arguments, [&](int32_t group, int64_t row) {
      if (group != 0) pairs.push_back({bits_of_value(value(row)), group});
    });
    insert(pairs);
  }

  std::unique_ptr<Accumulator> rearranged(std::span<const int32_t> from,
                                          const execution::OperatorContext& ctx) const override {
    auto result = std::make_unique<CountDistinctAccumulator>(ctx.budget, ctx.cancellation);
    result->lists_.emplace(lists_ ? lists_->chosen(from, ctx.budget) : lists_of(from, ctx.budget, ctx.cancellation));
    return result;
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& others = static_cast<const CountDistinctAccumulator&>(other);
    if (others.lists_) {
      const ValueLists& lists = *others.lists_;
      return insert_lists(into, [&](size_t i) { return lists.of(from[i]); });
    }
    const ValueLists lists = others.lists_of(from, budget_, cancellation_);
    insert_lists(into, [&](size_t i) { return lists.of(static_cast<int32_t>(i + 1)); });
  }

  /// The values that groups have met, as arrays: of rearranged groups.
  std::vector<ColumnPtr> states(int64_t first, int64_t length) const override {
    ACC_CHECK(lists_.has_value());
    std::vector<int32_t> ends;
    int32_t end = 0;
    for (int64_t i = 0; i < length; ++i) {
      end += static_cast<int32_t>(lists_->of(static_cast<int32_t>(first + i)).size());
      ends.push_back(end);
    }
    const types::DataType type(types::TypeId::Long);
    columns::FlatBuilder values(type, type.physical(), end, budget_);
    std::copy_n(lists_->values.begin() + static_cast<ptrdiff_t>(lists_->starts[static_cast<size_t>(first)]), end,
                values.template values<int64_t>());
    return {distinct_lists(values.finish(), ends, budget_)};
  }

  void merge_states(Arguments states, std::span<const int32_t> into) override {
    const auto* offsets = states.front()->template values<int32_t>();
    const auto* values = states.front()->children()[0]->template values<uint64_t>();
    insert_lists(into, [&](size_t i) {
      return std::span(values + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i]));
    });
  }

  /// Only the counts are asked for any more.
  void seal() override { pairs_ = DistinctPairs(budget_, cancellation_); }

  ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const override {
    columns::FlatBuilder builder(types::DataType(types::TypeId::Long), types::PhysicalType::Int64, length, budget_);
    std::copy_n(counts_.begin() + first, length, builder.template values<int64_t>());
    return builder.finish();
  }

 private:
  void insert(std::span<const GroupValue> pairs) {
    pairs_.insert(pairs, [this](int32_t group) { ++counts_[group]; });
  }

  /// Lists the values of `from[i]` as those of i + 1.
  ValueLists lists_of(std::span<const int32_t> from, const std::shared_ptr<memory::Budget>& budget,
                      const execution::Cancellation* cancellation) const {
    return list_values(pairs_, counts_.span(), from, budget, cancellation);
  }

  /// Adds the values that `values_of(i)` gives to the groups `into[i]`.
  template <class ValuesOf>
  void insert_lists(std::span<const int32_t> into, const ValuesOf& values_of) {
    constexpr size_t kStep = 4096;
    const memory::Reservation memory(budget_, static_cast<int64_t>(kStep * sizeof(GroupValue)));
    std::vector<GroupValue> pairs;
    pairs.reserve(kStep);
    const auto flush = [&] {
      if (cancellation_) cancellation_->check();
      insert(pairs);
      pairs.clear();
    };
    for (size_t i = 0; i < into.size(); ++i) {
      const std::span<const uint64_t> values = values_of(i);
      pairs_.reserve(pairs.size() + values.size());
      for (const uint64_t value : values) {
        pairs.push_back({value, into[i]});
        if (pairs.size() == kStep) flush();
      }
    }
    flush();
  }

  const std::shared_ptr<memory::Budget> budget_;
  const execution::Cancellation* const cancellation_;
  memory::Array<int64_t> counts_;
  DistinctPairs pairs_;
  std::optional<ValueLists> lists_;  ///< instead of pairs, where groups were rearranged
};

}  // namespace

std::unique_ptr<Accumulator> make_count_distinct_accumulator(const aggregates::Call& call,
                                                             const execution::OperatorContext& ctx) {
  if (!call.description().counts_rows || !call.distinct || call.argument_types.size() != 1) return nullptr;
  return columns::visit_physical(call.argument_types.front().physical(),
                                 [&](auto value) -> std::unique_ptr<Accumulator> {
                                   using T = decltype(value);
                                   if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= sizeof(uint64_t)) {
                                     return std::make_unique<CountDistinctAccumulator<T>>(ctx.budget, ctx.cancellation);
                                   } else {
                                     return nullptr;
                                   }
                                 });
}

}  // namespace accelerant::operators
