#include "lineitem.h"

#include "types/string_view.h"

#include <memory>

namespace accelerant::gpu_check {

using types::DataType;
using types::PhysicalType;
using types::TypeId;

namespace {

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

const std::vector<GeneratedColumn>& lineitem() {
  static const DataType kMoney = DataType::decimal(15, 2);
  static const std::vector<GeneratedColumn> kColumns = {
      {kMoney, {1, 100, 4'901}},
      {kMoney, {2, 90'000, 10'404'951}},
      {kMoney, {3, 0, 11}},
      {kMoney, {4, 0, 9}},
      {DataType(TypeId::String), {5, 0, 3}, {"A", "N", "R"}},
      {DataType(TypeId::String), {6, 0, 2}, {"F", "O"}},
      {DataType(TypeId::Date), {7, 8'036, 2'526}},
  };
  return kColumns;
}

device::DeviceBatch make_on_device(device::Stream& stream, int64_t num_rows) {
  device::DeviceBatch batch;
  batch.num_rows = num_rows;
  for (const GeneratedColumn& column : lineitem()) {
    device::DeviceColumn& made = batch.columns.emplace_back();
    const int32_t value_bytes = column.type.is_decimal() ? 8 : 4;
    const auto values =
        std::make_shared<device::DeviceBuffer>(stream, num_rows * value_bytes, memory::process_budget());
    device::generate(stream, column.values, num_rows, value_bytes, values->as<void>());
    made.type = column.type;
    made.physical = physical_of(column);
    made.values = values;
    if (column.entries.empty()) continue;
    made.physical = PhysicalType::String;
    made.layout = device::ColumnLayout::Codes;
    made.dictionary = make_entries(column.entries);
  }
  stream.synchronize();
  return batch;
}

columns::Batch make_on_host(int64_t first_row, int64_t num_rows) {
  columns::Batch batch;
  batch.num_rows = num_rows;
  for (const GeneratedColumn& column : lineitem()) batch.columns.push_back(make_column(column, first_row, num_rows));
  return batch;
}

}  // namespace accelerant::gpu_check
