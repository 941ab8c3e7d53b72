#pragma once

#include "operators/state_accumulator.h"

namespace accelerant::operators {

/// A number of rows.
struct RowCount {
  int64_t rows;

  static RowCount init() { return {0}; }
  void merge(const RowCount& other) { rows += other.rows; }
};

/// COUNT: the number of rows none of whose arguments is null.
class CountAccumulator final : public StateAccumulator<RowCount> {
 public:
  using StateAccumulator::StateAccumulator;

  void update(const GroupedRows& rows, Arguments arguments) override;
  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override;
  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override;
};

}  // namespace accelerant::operators
