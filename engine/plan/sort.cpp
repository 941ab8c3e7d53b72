#include "plan/sort.h"

#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <utility>

namespace accelerant::plan {

std::string describe(const std::vector<SortKey>& keys) {
  std::string text = "keys=[";
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(keys[i].column) + (keys[i].ascending ? " asc" : " desc");
    text += keys[i].nulls_first ? " nulls first" : " nulls last";
  }
  return text + "]";
}

std::vector<ColumnMask> columns_read_to_sort(const std::vector<SortKey>& keys, const ColumnMask& wanted) {
  ColumnMask read = wanted;
  for (const SortKey& key : keys) {
    if (static_cast<size_t>(key.column) < read.size()) read[static_cast<size_t>(key.column)] = true;
  }
  return {read};
}

void move_keys(std::vector<SortKey>& keys, const ColumnPositions& places, size_t num_columns) {
  for (SortKey& key : keys) {
    const auto column = static_cast<size_t>(key.column);
    key.column =
        column < places.size() ? places[column].value() : static_cast<int>(column - places.size() + num_columns);
  }
}

std::vector<ColumnMask> Sort::columns_read(const ColumnMask& wanted) const {
  std::vector<ColumnMask> read = columns_read_to_sort(keys, wanted);
  add_inputs(read.front(), computed_keys.get());
  return read;
}

ColumnPositions Sort::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  move_keys(keys, places.front(), changed.front()->output.size());
  computed_keys = expressions::moved(computed_keys, places.front());
  return pass_on(std::move(changed), places);
}

double Sort::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

}  // namespace accelerant::plan
