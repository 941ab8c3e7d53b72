#pragma once

#include "functions/aggregate/binned_sum.h"
#include "operators/accumulator.h"

#include <memory>
#include <vector>

namespace accelerant::operators {

/// SUM and AVG of float and double, the same for any order of rows, number of workers and batch size.
class BinnedSumAccumulator final : public Accumulator {
 public:
  static bool supports(const plan::AggregateCall& call);
  BinnedSumAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : call_(call), budget_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(static_cast<size_t>(num_groups), State::init()); }
  void update(const GroupedRows& rows, const columns::Column* argument) override;
  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
  int64_t memory_bytes() const override { return static_cast<int64_t>(states_.capacity() * sizeof(State)); }

 private:
  using State = functions::BinnedSum;

  const plan::AggregateCall call_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<State> states_;
};

}  // namespace accelerant::operators
