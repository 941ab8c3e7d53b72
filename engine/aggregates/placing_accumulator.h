#pragma once

#include "aggregates/function.h"
#include "aggregates/value_slots.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// Keeps values of the first argument by place, which the second argument says, from 1 on: for each group an array of
/// AggregateOptions::num_places, null where no row has a value. Rows whose place is none of these do not count; where
/// several have the same one, one of their values stays. Values are of no nested type.
class PlacingAccumulator final : public Accumulator {
 public:
  PlacingAccumulator(const Call& call, const execution::OperatorContext& ctx);

  void resize(int64_t num_groups) override;
  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override;
  void merge_states(Arguments states, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;

 private:
  /// Returns the first of a group's slots.
  int32_t first_slot(int32_t group) const { return group * num_places_; }
  columns::ColumnPtr arrays(int64_t first, int64_t length) const;

  const Call call_;
  const std::shared_ptr<memory::Budget> budget_;
  const int plan_node_;
  const int32_t num_places_;
  ValueSlots values_;  ///< of the groups' places, one group's after the other
};

/// Returns the types of such states.
std::vector<types::DataType> placed_state_types(const Call& call);

}  // namespace accelerant::aggregates
