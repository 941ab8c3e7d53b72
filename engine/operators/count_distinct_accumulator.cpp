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
#include <iterator>
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
  explicit ValueLists(const std::shared_ptr<memory::Budget>& budget) : starts(budget), values(budget) {}

  memory::Array<int64_t> starts;  ///< by group, and the end
  memory::Array<uint64_t> values;

  std::span<const uint64_t> of(int32_t group) const {
    return {values.data() + starts[group], values.data() + starts[group + 1]};
  }
  /// Lists the values of `from[i]` as those of i + 1.
  ValueLists chosen(std::span<const int32_t> from, const std::shared_ptr<memory::Budget>& budget) const {
    int64_t num_values = 0;
    for (const int32_t group : from) num_values += std::ssize(of(group));
    ValueLists lists(budget);
    lists.starts.reserve(std::ssize(from) + 2);
    lists.starts.append(2, 0);
    lists.values.reserve(num_values);
    for (const int32_t group : from) {
      lists.values.append(of(group));
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
  ValueLists lists(budget);
  memory::Array<int32_t> number_of(budget);  // 0: not listed
  number_of.reserve(std::max<int64_t>(std::ssize(counts), 1));
  number_of.resize(std::max<int64_t>(std::ssize(counts), 1));
  lists.starts.reserve(std::ssize(groups) + 2);
  lists.starts.append(2, 0);
  for (const int32_t group : groups) {
    number_of[group] = static_cast<int32_t>(lists.starts.size() - 1);
    lists.starts.push_back(lists.starts.back() + counts[static_cast<size_t>(group)]);
  }
  lists.values.reserve(num_values);
  lists.values.resize(num_values);
  memory::Array<int64_t> next(budget);
  next.append(lists.starts.span());
  pairs.for_each_place(cancellation, [&](const GroupValue& pair) {
    const int32_t number = number_of[pair.group];
    if (number != 0) lists.values[next[number]++] = pair.value;
  });
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
    memory::Array<GroupValue> pairs(budget_);
    pairs.reserve(rows.num_rows);
    aggregates::for_each_value(rows, arguments, [&](int32_t group, int64_t row) {
      if (group != 0) pairs.push_back({bits_of_value(value(row)), group});
    });
    insert(pairs.span());
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
    std::copy_n(lists_->values.begin() + lists_->starts[first], end, values.template values<int64_t>());
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
    constexpr int64_t kStep = 4096;
    memory::Array<GroupValue> pairs(budget_);
    pairs.reserve(kStep);
    const auto flush = [&] {
      if (cancellation_) cancellation_->check();
      insert(pairs.span());
      pairs.clear();
    };
    for (size_t i = 0; i < into.size(); ++i) {
      const std::span<const uint64_t> values = values_of(i);
      pairs_.reserve(static_cast<size_t>(pairs.size()) + values.size());
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
