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
  using StateAccumulator::StateAccumulator;

  void update(const GroupedRows& rows, Arguments arguments) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
};

}  // namespace accelerant::operators
