#pragma once

#include "aggregates/function.h"
#include "aggregates/nested_slots.h"
#include "memory/array.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// Keeps for each group the row whose ordering, a nested value, is the least or the greatest in Spark's order. The
/// ordering is the last argument of the overload; where there is another one before it, that is the result. Of equal
/// orderings the first row's is kept where the ordering is the result, else the last one's.
class NestedExtremeAccumulator final : public Accumulator {
 public:
  NestedExtremeAccumulator(const Call& call, const execution::OperatorContext& ctx, bool is_greatest);

  void resize(int64_t num_groups) override;
  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  /// The rows that are kept, null where there is none, and their batches and numbers in these.
  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override;
  void merge_states(Arguments states, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;

 private:
  using Place = functions::RowPosition;

  /// Rows that contend for groups.
  struct Contenders {
    columns::ColumnPtr rows;
    std::vector<Place> places;  ///< kNoPlace: there is no such row
  };

  /// Returns what is kept of a row: its ordering, in a struct behind what is the result where that is another value.
  columns::ColumnPtr kept_of(Arguments arguments) const;
  columns::ColumnPtr ordering_of(const columns::ColumnPtr& kept) const;
  /// Says whether a row wins over the one that is kept.
  bool wins(int order, Place place, Place kept) const;
  /// Finds the row of a batch that each group chooses among the batch's, in `chosen_` and `changed_`.
  void choose(const GroupedRows& rows, Arguments arguments);
  Contenders contenders_of(std::span<const int32_t> groups, const std::shared_ptr<memory::Budget>& budget) const;
  /// Lets the i-th row contend for group `into[i]`, or, if it is one of this object's, whatever its group then keeps.
  /// @param from groups of this object that rows are of; empty: they are of none
  void contend(const Contenders& others, std::span<const int32_t> into, std::span<const int32_t> from);

  const Call call_;
  const std::shared_ptr<memory::Budget> budget_;
  const bool is_greatest_;
  memory::Array<Place> places_;
  NestedSlots kept_;
  memory::Array<int32_t> chosen_;  ///< of a batch: the row that a group chose, or kNone
  std::vector<int32_t> changed_;   ///< groups that chose one
};

/// Returns the types of its states.
std::vector<types::DataType> nested_extreme_state_types(const Call& call);

}  // namespace accelerant::aggregates
