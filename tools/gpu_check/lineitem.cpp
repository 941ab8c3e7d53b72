#include "lineitem.h"

#include "base/error.h"
#include "types/string_view.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace accelerant::gpu_check {

using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

int32_t value_bytes(const GeneratedColumn& column) { return column.type.is_decimal() ? 8 : 4; }

PhysicalType physical_of(const GeneratedColumn& column) {
  return column.type.is_decimal() ? PhysicalType::Int64 : PhysicalType::Int32;
}

/// Makes a flat column of short strings.
columns::ColumnPtr make_entries(const std::vector<std::string>& entries) {
  columns::FlatBuilder builder(DataType(TypeId::String), PhysicalType::String, static_cast<int64_t>(entries.size()),
                               memory::process_budget());
  auto* views = builder.values<types::StringView>();
  for (size_t i = 0; i < entries.size(); ++i) {
    views[i] = types::inline_view({entries[i].data(), static_cast<int32_t>(entries[i].size())});
  }
  return builder.finish();
}

template <class Value>
void write_values(const GeneratedColumn& column, int64_t first_row, int64_t num_rows, Value* to) {
  for (int64_t i = 0; i < num_rows; ++i) to[i] = static_cast<Value>(column.values.at(first_row + i));
}

columns::ColumnPtr make_column(const GeneratedColumn& column, int64_t first_row, int64_t num_rows) {
  if (!column.entries.empty()) {
    const auto codes =
        memory::Buffer::allocate(num_rows * static_cast<int64_t>(sizeof(int32_t)), memory::process_budget());
    write_values(column, first_row, num_rows, codes->mutable_as<int32_t>());
    return columns::Column::dictionary(make_entries(column.entries), codes, num_rows);
  }
  columns::FlatBuilder builder(column.type, physical_of(column), num_rows, memory::process_budget());
  if (column.type.is_decimal()) write_values(column, first_row, num_rows, builder.values<int64_t>());
  if (!column.type.is_decimal()) write_values(column, first_row, num_rows, builder.values<int32_t>());
  return builder.finish();
}

}  // namespace

const GeneratedColumn& lineitem(const std::string& name) {
  static const DataType kMoney = DataType::decimal(15, 2);
  static const std::vector<GeneratedColumn> kColumns = {
      {"l_quantity", kMoney, {1, 100, 4'901}},
      {"l_extendedprice", kMoney, {2, 90'000, 10'404'951}},
      {"l_discount", kMoney, {3, 0, 11}},
      {"l_tax", kMoney, {4, 0, 9}},
      {"l_returnflag", DataType(TypeId::String), {5, 0, 3}, {"A", "N", "R"}},
      {"l_linestatus", DataType(TypeId::String), {6, 0, 2}, {"F", "O"}},
      {"l_shipdate", DataType(TypeId::Date), {7, 8'036, 2'526}},
  };
  const auto found = std::ranges::find(kColumns, name, &GeneratedColumn::name);
  if (found == kColumns.end()) throw Error(ErrorKind::Internal, "no column " + name + " is generated");
  return *found;
}

int64_t row_bytes(std::span<const std::string> columns) {
  int64_t bytes = 0;
  for (const std::string& name : columns) bytes += value_bytes(lineitem(name));
  return bytes;
}

device::DeviceBatch make_on_device(device::DeviceStream& stream, std::span<const std::string> columns,
                                   int64_t num_rows) {
  std::vector<int> positions(columns.size());
  std::iota(positions.begin(), positions.end(), 0);
  // Dictionaries, and how columns lie; then their values are made in place of a row's.
  device::DeviceBatch batch = device::upload(stream, make_on_host(columns, 0, 1), positions, memory::process_budget());
  stream.synchronize();
  batch.num_rows = num_rows;
  for (size_t i = 0; i < columns.size(); ++i) {
    const GeneratedColumn& column = lineitem(columns[i]);
    const auto values = std::make_shared<device::DeviceBuffer>(stream, num_rows * value_bytes(column));
    device::generate(stream, column.values, num_rows, value_bytes(column), values->as<void>());
    batch.columns[i].values = values;
  }
  stream.synchronize();
  return batch;
}

columns::Batch make_on_host(std::span<const std::string> columns, int64_t first_row, int64_t num_rows) {
  columns::Batch batch;
  batch.num_rows = num_rows;
  for (const std::string& name : columns) batch.columns.push_back(make_column(lineitem(name), first_row, num_rows));
  return batch;
}

}  // namespace accelerant::gpu_check
