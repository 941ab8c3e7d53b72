#include "cells.h"

#include "functions/aggregate/ordered_code.h"

namespace accelerant::gpu_check {

using types::PhysicalType;

namespace {

/// A value of a flat column.
struct Place {
  const columns::Column& values;
  int64_t row;
};

Place place_of(const columns::Column& column, int64_t row) {
  if (column.is_dictionary()) return {*column.child_values(), column.indices()[row]};
  if (column.is_constant()) return {*column.child_values(), 0};
  return {column, row};
}

template <class Value>
void append_bytes(const Value& value, std::string& to) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

int128 integer_at(const columns::Column& column, int64_t row) {
  const auto [values, at] = place_of(column, row);
  switch (values.physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return values.values<int8_t>()[at];
    case PhysicalType::Int16:
      return values.values<int16_t>()[at];
    case PhysicalType::Int32:
      return values.values<int32_t>()[at];
    case PhysicalType::Int64:
      return values.values<int64_t>()[at];
    case PhysicalType::Int128:
      return values.values<int128>()[at];
    default:
      return functions::ordered(double_at(column, row));
  }
}

double double_at(const columns::Column& column, int64_t row) {
  const auto [values, at] = place_of(column, row);
  if (values.physical() == PhysicalType::Float32) return values.values<float>()[at];
  return values.values<double>()[at];
}

void append_cell(const columns::Column& column, int64_t row, std::string& to) {
  const bool is_null = column.is_null(row);
  to += is_null ? '\0' : '\1';
  if (is_null) return;
  const auto [values, at] = place_of(column, row);
  if (values.physical() == PhysicalType::String) {
    const types::StringRef text = values.string_at(at);
    append_bytes(text.length, to);
    to.append(text.data, static_cast<size_t>(text.length));
  } else if (column.type().is_decimal()) {
    append_bytes(integer_at(column, row), to);
  } else {
    append_bytes(static_cast<int64_t>(integer_at(column, row)), to);
  }
}

std::string difference(const columns::Batch& found, const columns::Batch& expected) {
  if (found.num_rows != expected.num_rows) {
    return std::to_string(found.num_rows) + " rows instead of " + std::to_string(expected.num_rows);
  }
  if (found.columns.size() != expected.columns.size()) return "another number of columns";
  std::string found_cell;
  std::string expected_cell;
  for (size_t i = 0; i < expected.columns.size(); ++i) {
    for (int64_t row = 0; row < expected.num_rows; ++row) {
      found_cell.clear();
      expected_cell.clear();
      append_cell(*found.columns[i], row, found_cell);
      append_cell(*expected.columns[i], row, expected_cell);
      if (found_cell != expected_cell) return "column " + std::to_string(i) + ", row " + std::to_string(row);
    }
  }
  return "";
}

}  // namespace accelerant::gpu_check
