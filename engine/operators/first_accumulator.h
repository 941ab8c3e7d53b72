#pragma once

#include "operators/accumulator.h"
#include "operators/value_slots.h"

#include <vector>

namespace accelerant::operators {

/// FIRST and LAST (any_value is a FIRST): the value of the row that comes first or last in the query's order, so that
/// the number of workers and the batch size do not matter.
class FirstAccumulator final : public Accumulator {
 public:
  FirstAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx);

  void resize(int64_t num_groups) override;
  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
  int64_t memory_bytes() const override;

 private:
  /// Of a group that met no row.
  static constexpr RowPlace kNowhere{-1, -1};

  bool takes(int32_t group, const RowPlace& place) const;

  const bool last_;
  const bool ignores_nulls_;
  std::vector<RowPlace> places_;
  ValueSlots values_;
};

}  // namespace accelerant::operators
