#include "operators/count_accumulator.h"

#include <algorithm>

namespace accelerant::operators {

void CountAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const bool has_nulls =
      std::any_of(arguments.begin(), arguments.end(), [](const auto& column) { return column->may_have_nulls(); });
  if (!rows.groups && !has_nulls) {
    state(1).rows += rows.num_rows;
    return;
  }
  RowCount* counts = states_.data();
  for_each_value(rows, arguments, [counts](int32_t group, int64_t) { ++counts[group].rows; });
}

void CountAccumulator::merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) {
  for (size_t i = 0; i < into.size(); ++i) state(into[i]).rows += static_cast<int64_t>(words[i]);
}

columns::ColumnPtr CountAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  columns::FlatBuilder builder(call_.result_type, types::PhysicalType::Int64, length, budget_);
  int64_t* values = builder.values<int64_t>();
  for (const RowCount& count : states(first, length)) *values++ = count.rows;
  return builder.finish();
}

}  // namespace accelerant::operators
