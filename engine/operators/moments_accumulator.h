#pragma once

#include "functions/aggregate/moments.h"
#include "operators/state_accumulator.h"

namespace accelerant::operators {

/// VAR_POP, VAR_SAMP, STDDEV_POP and STDDEV_SAMP of doubles.
class VarianceAccumulator final : public StateAccumulator<functions::Variance> {
 public:
  using StateAccumulator::StateAccumulator;

  void update(const GroupedRows& rows, Arguments arguments) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
};

/// COVAR_POP, COVAR_SAMP and CORR of pairs of doubles.
class CovarianceAccumulator final : public StateAccumulator<functions::Covariance> {
 public:
  CovarianceAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : StateAccumulator(call, ctx), plan_node_(ctx.plan_node) {}

  void update(const GroupedRows& rows, Arguments arguments) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;

 private:
  const int plan_node_;
};

}  // namespace accelerant::operators
