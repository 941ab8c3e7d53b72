#pragma once

#include "functions/aggregate/binned_sum.h"
#include "operators/state_accumulator.h"

namespace accelerant::operators {

/// SUM and AVG of float and double, the same for any order of rows, number of workers and batch size.
class BinnedSumAccumulator final : public StateAccumulator<functions::BinnedSum> {
 public:
  static bool supports(const plan::AggregateCall& call);
  using StateAccumulator::StateAccumulator;

  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
};

}  // namespace accelerant::operators
