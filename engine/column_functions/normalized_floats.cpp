#include "column_functions/normalized_floats.h"

#include "column_functions/floats.h"
#include "columns/gather.h"
#include "types/floating.h"

#include <utility>

namespace accelerant::column_functions {

using columns::Column;
using columns::ColumnPtr;

namespace {

template <class T>
ColumnPtr normalize_values(const Column& flat, const std::shared_ptr<memory::Budget>& budget) {
  columns::FlatBuilder builder(flat.type(), flat.physical(), flat.length(), budget);
  const T* values = flat.values<T>();
  for (int64_t row = 0; row < flat.length(); ++row) {
    builder.values<T>()[row] = types::normalize_nan_and_zero(values[row]);
  }
  if (flat.validity()) builder.set_validity(flat.parts().validity);
  return builder.finish();
}

}  // namespace

ColumnPtr with_normalized_floats(const ColumnPtr& column, const std::shared_ptr<memory::Budget>& budget) {
  if (!has_floats(column->type())) return column;
  const ColumnPtr flat = columns::flatten(column, budget);
  if (flat->physical() == types::PhysicalType::Float32) return normalize_values<float>(*flat, budget);
  if (flat->physical() == types::PhysicalType::Float64) return normalize_values<double>(*flat, budget);
  columns::FlatParts parts = flat->parts();
  const size_t first = flat->physical() == types::PhysicalType::Map ? 1 : 0;
  for (size_t i = first; i < parts.children.size(); ++i) {
    parts.children[i] = with_normalized_floats(parts.children[i], budget);
  }
  return Column::flat(std::move(parts));
}

}  // namespace accelerant::column_functions
