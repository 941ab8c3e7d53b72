#pragma once

#include "functions/aggregate/exact_sum.h"
#include "operators/state_accumulator.h"

#include <vector>

namespace accelerant::operators {

/// SUM and AVG of integers and decimals. A batch is first added up in 64-bit lanes of its own, group by group, where
/// the values allow it; only those sums touch the wide states.
class ExactSumAccumulator final : public StateAccumulator<functions::ExactSum> {
 public:
  static bool supports(const plan::AggregateCall& call);
  ExactSumAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx);

  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override;
  bool update_repeated(const columns::Column& values, std::span<const int64_t> times) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;

 private:
  using State = functions::ExactSum;

  template <class T>
  void update_from(const GroupedRows& rows, const columns::Column& argument);
  template <class T>
  void update_all(const T* values, int64_t num_rows);
  template <class T>
  void update_in_lanes(const GroupedRows& rows, const T* values);
  columns::RowError overflow_at(int64_t row, uint8_t code) const;
  columns::ColumnPtr finish_decimal(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const;
  columns::ColumnPtr finish_long(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const;
  columns::ColumnPtr finish_double(int64_t first, int64_t length) const;

  const int plan_node_;
  std::vector<int64_t> lane_sums_;    ///< scratch of update_in_lanes
  std::vector<int64_t> lane_counts_;  ///< scratch of update_in_lanes
};

}  // namespace accelerant::operators
