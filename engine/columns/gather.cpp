#include "columns/gather.h"

#include "base/error.h"
#include "memory/budget_ptr.h"
#include "memory/offset_limit.h"
#include "types/integers.h"

#include <algorithm>
#include <string>
#include <utility>

namespace accelerant::columns {

using memory::BudgetPtr;
using memory::Buffer;
using types::PhysicalType;
using types::StringView;

namespace {

/// Rows to take; -1 asks for a null where `may_miss` says that it occurs.
struct Rows {
  std::span<const int32_t> rows;
  bool may_miss;

  int64_t size() const { return static_cast<int64_t>(rows.size()); }
};

/// Row numbers that live in a budgeted buffer.
struct OwnedRows {
  std::shared_ptr<Buffer> buffer;

  OwnedRows(int64_t n, const BudgetPtr& budget)
      : buffer(Buffer::allocate(n * static_cast<int64_t>(sizeof(int32_t)), budget)) {}
  int32_t* data() { return buffer->mutable_as<int32_t>(); }
  std::span<const int32_t> span() const {
    return {buffer->as<int32_t>(), static_cast<size_t>(buffer->size_bytes()) / sizeof(int32_t)};
  }
};

template <class T>
void take_values(const T* from, Rows rows, T* to) {
  const int32_t* index = rows.rows.data();
  const int64_t n = rows.size();
  if (!rows.may_miss) {
    for (int64_t i = 0; i < n; ++i) to[i] = from[index[i]];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = index[i] < 0 ? T{} : from[index[i]];
  }
}

void take_values_of_width(int width, const Column& column, Rows rows, uint8_t* to) {
  switch (width) {
    case 1:
      return take_values(column.values<uint8_t>(), rows, to);
    case 2:
      return take_values(column.values<uint16_t>(), rows, reinterpret_cast<uint16_t*>(to));
    case 4:
      return take_values(column.values<uint32_t>(), rows, reinterpret_cast<uint32_t*>(to));
    case 8:
      return take_values(column.values<uint64_t>(), rows, reinterpret_cast<uint64_t*>(to));
    case 16:
      return take_values(column.values<uint128>(), rows, reinterpret_cast<uint128*>(to));
    default:
      throw Error(ErrorKind::Internal, "gather: values of " + std::to_string(width) + " bytes");
  }
}

/// Writes a bit for each row.
template <class IsSet>
void write_bits(std::span<const int32_t> rows, uint8_t* to, IsSet is_set) {
  const int32_t* row = rows.data();
  auto left = static_cast<int64_t>(rows.size());
  for (; left >= 8; left -= 8, row += 8) {
    unsigned byte = 0;
    for (int i = 0; i < 8; ++i) byte |= static_cast<unsigned>(is_set(row[i])) << i;
    *to++ = static_cast<uint8_t>(byte);
  }
  unsigned byte = 0;
  for (int64_t i = 0; i < left; ++i) byte |= static_cast<unsigned>(is_set(row[i])) << i;
  if (left > 0) *to = static_cast<uint8_t>(byte);
}

/// Returns the validity of the taken rows by the column's own bitmap; nullptr when none of them is null.
memory::BufferPtr take_validity(const Column& column, Rows rows, const BudgetPtr& budget) {
  const uint8_t* from = column.validity();
  if (!from && !rows.may_miss) return nullptr;
  const int64_t n = rows.size();
  const int64_t offset = column.offset();
  auto result = Buffer::allocate(bits::bytes_for(n), budget);
  uint8_t* to = result->mutable_data();
  if (!from) {
    write_bits(rows.rows, to, [](int32_t row) { return row >= 0; });
  } else if (rows.may_miss) {
    write_bits(rows.rows, to, [=](int32_t row) { return row >= 0 && bits::get(from, offset + row); });
  } else {
    write_bits(rows.rows, to, [=](int32_t row) { return bits::get(from, offset + row); });
  }
  return bits::count(to, 0, n) == n ? nullptr : result;
}

ColumnPtr take(const Column& column, Rows rows, const BudgetPtr& budget);

/// Writes the offsets of the taken lists and returns the rows of their elements.
OwnedRows take_lists(const Column& column, Rows rows, int32_t* new_offsets, const BudgetPtr& budget) {
  const int32_t* offsets = column.values<int32_t>();
  const bool may_have_nulls = column.may_have_nulls();
  int64_t total = 0;
  new_offsets[0] = 0;
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int32_t row = rows.rows[static_cast<size_t>(i)];
    if (row >= 0 && !(may_have_nulls && column.is_null(row))) total += offsets[row + 1] - offsets[row];
    memory::check_offsets(total, "array elements");
    new_offsets[i + 1] = static_cast<int32_t>(total);
  }
  OwnedRows elements(total, budget);
  int32_t* to = elements.data();
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int32_t length = new_offsets[i + 1] - new_offsets[i];
    const int32_t first = length > 0 ? offsets[rows.rows[static_cast<size_t>(i)]] : 0;
    for (int32_t j = 0; j < length; ++j) *to++ = first + j;
  }
  return elements;
}

void take_children(const Column& column, Rows rows, FlatParts& parts, const BudgetPtr& budget) {
  for (const auto& child : column.children()) parts.children.push_back(take(*child, rows, budget));
}

void take_nested(const Column& column, Rows rows, FlatParts& parts, const BudgetPtr& budget) {
  if (parts.physical != PhysicalType::Struct) {
    auto offsets = Buffer::allocate((rows.size() + 1) * static_cast<int64_t>(sizeof(int32_t)), budget);
    const OwnedRows elements = take_lists(column, rows, offsets->mutable_as<int32_t>(), budget);
    parts.values = std::move(offsets);
    return take_children(column, {elements.span(), false}, parts, budget);
  }
  if (column.offset() == 0) return take_children(column, rows, parts, budget);
  OwnedRows shifted(rows.size(), budget);
  const auto offset = static_cast<int32_t>(column.offset());
  for (int64_t i = 0; i < rows.size(); ++i) {
    const int32_t row = rows.rows[static_cast<size_t>(i)];
    shifted.data()[i] = row < 0 ? row : row + offset;
  }
  take_children(column, {shifted.span(), rows.may_miss}, parts, budget);
}

ColumnPtr take_flat(const Column& column, Rows rows, const BudgetPtr& budget) {
  FlatParts parts{column.type(), column.physical(), rows.size(), 0, nullptr, nullptr, column.heap(), {}};
  if (parts.physical == PhysicalType::Null) return Column::flat(std::move(parts));
  parts.validity = take_validity(column, rows, budget);
  if (column.type().is_nested()) {
    take_nested(column, rows, parts, budget);
  } else {
    const int width = types::width_of(parts.physical);
    auto values = Buffer::allocate(rows.size() * width, budget);
    take_values_of_width(width, column, rows, values->mutable_data());
    parts.values = std::move(values);
  }
  return Column::flat(std::move(parts));
}

ColumnPtr take_dictionary(const Column& column, Rows rows, const BudgetPtr& budget) {
  if (column.child_values()->length() == 0) return Column::nulls(column.type(), rows.size(), budget);
  auto indices = Buffer::allocate(rows.size() * static_cast<int64_t>(sizeof(int32_t)), budget);
  take_values(column.indices(), rows, indices->mutable_as<int32_t>());
  return Column::dictionary(column.child_values(), std::move(indices), rows.size(),
                            take_validity(column, rows, budget));
}

/// A constant with misses becomes a dictionary of one value.
ColumnPtr take_constant(const Column& column, Rows rows, const BudgetPtr& budget) {
  if (!rows.may_miss) return Column::constant(column.child_values(), rows.size());
  auto indices = Buffer::allocate_zeroed(rows.size() * static_cast<int64_t>(sizeof(int32_t)), budget);
  return Column::dictionary(column.child_values(), std::move(indices), rows.size(),
                            take_validity(column, rows, budget));
}

ColumnPtr take(const Column& column, Rows rows, const BudgetPtr& budget) {
  switch (column.encoding()) {
    case Encoding::Constant:
      return take_constant(column, rows, budget);
    case Encoding::Dictionary:
      return take_dictionary(column, rows, budget);
    case Encoding::Flat:
      break;
  }
  return take_flat(column, rows, budget);
}

ColumnPtr flatten_constant(const Column& column, const BudgetPtr& budget) {
  OwnedRows zeros(column.length(), budget);
  std::memset(zeros.data(), 0, static_cast<size_t>(zeros.buffer->size_bytes()));
  return take_flat(*column.child_values(), {zeros.span(), false}, budget);
}

/// Below the column's own nulls lie no elements, whatever the dictionary has where their indices point.
ColumnPtr flatten_nested_dictionary(const Column& column, const BudgetPtr& budget) {
  OwnedRows rows(column.length(), budget);
  int32_t* to = rows.data();
  for (int64_t i = 0; i < column.length(); ++i) {
    to[i] = bits::get(column.validity(), column.offset() + i) ? column.indices()[i] : -1;
  }
  return take_flat(*column.child_values(), {rows.span(), true}, budget);
}

/// Takes the dictionary's values, then adds the column's own nulls.
ColumnPtr flatten_dictionary(const Column& column, const BudgetPtr& budget) {
  if (column.validity() && column.type().is_nested()) return flatten_nested_dictionary(column, budget);
  const std::span indices(column.indices(), static_cast<size_t>(column.length()));
  const ColumnPtr values = take_flat(*column.child_values(), {indices, false}, budget);
  if (!column.validity()) return values;
  auto validity = Buffer::allocate(bits::bytes_for(column.length()), budget);
  bits::copy(column.validity(), column.offset(), column.length(), validity->mutable_data());
  if (values->validity()) bits::and_with(validity->mutable_data(), values->validity(), 0, column.length());
  FlatParts parts = values->parts();
  parts.validity = std::move(validity);
  return Column::flat(std::move(parts));
}

ColumnPtr move_to_start(const Column& column, const BudgetPtr& budget) {
  FlatParts parts = column.parts();
  parts.offset = 0;
  if (column.validity()) {
    auto validity = Buffer::allocate(bits::bytes_for(column.length()), budget);
    bits::copy(column.validity(), column.offset(), column.length(), validity->mutable_data());
    parts.validity = std::move(validity);
  }
  if (parts.values) {
    const int64_t width = types::width_of(parts.physical);
    const int64_t elements = column.length() + (column.type().is_nested() ? 1 : 0);
    auto values = Buffer::allocate(elements * width, budget);
    std::memcpy(values->mutable_data(), column.parts().values->data() + column.offset() * width,
                static_cast<size_t>(elements * width));
    parts.values = std::move(values);
  }
  if (parts.physical == PhysicalType::Struct) {
    for (auto& child : parts.children) child = child->slice(column.offset(), column.length());
  }
  return Column::flat(std::move(parts));
}

ColumnPtr widen_flat(const Column& column, const BudgetPtr& budget) {
  FlatParts parts = column.parts();
  parts.physical = PhysicalType::Int128;
  parts.offset = 0;
  auto values = Buffer::allocate(column.length() * static_cast<int64_t>(sizeof(int128)), budget);
  const int64_t* from = column.values<int64_t>();
  for (int64_t i = 0; i < column.length(); ++i) values->mutable_as<int128>()[i] = from[i];
  parts.values = std::move(values);
  if (column.validity() && column.offset() != 0) {
    auto validity = Buffer::allocate(bits::bytes_for(column.length()), budget);
    bits::copy(column.validity(), column.offset(), column.length(), validity->mutable_data());
    parts.validity = std::move(validity);
  }
  return Column::flat(std::move(parts));
}

/// Says whether columns are no more than values of one width.
bool are_plain_values(std::span<const RowsOfColumn> parts) {
  const Column& first = *parts.front().column;
  if (first.type().is_nested() || first.physical() == PhysicalType::String || first.physical() == PhysicalType::Null) {
    return false;
  }
  return std::ranges::all_of(parts, [&](const RowsOfColumn& part) {
    return part.column->is_flat() && part.column->physical() == first.physical() && !part.column->may_have_nulls();
  });
}

}  // namespace

ColumnPtr gather(const Column& column, std::span<const int32_t> rows, const BudgetPtr& budget) {
  return take(column, {rows, false}, budget);
}

ColumnPtr gather_or_null(const Column& column, std::span<const int32_t> rows, const BudgetPtr& budget) {
  int32_t signs = 0;
  for (const int32_t row : rows) signs |= row;
  return take(column, {rows, signs < 0}, budget);
}

ColumnPtr gather_all(std::span<const RowsOfColumn> parts, const BudgetPtr& budget) {
  const Column& first = *parts.front().column;
  if (parts.size() == 1) return gather(first, parts.front().rows, budget);
  if (!are_plain_values(parts)) {
    std::vector<ColumnPtr> gathered;
    for (const RowsOfColumn& part : parts) gathered.push_back(gather(*part.column, part.rows, budget));
    return concatenate(gathered, budget);
  }
  int64_t num_rows = 0;
  for (const RowsOfColumn& part : parts) num_rows += static_cast<int64_t>(part.rows.size());
  const int width = types::width_of(first.physical());
  auto values = Buffer::allocate(num_rows * width, budget);
  uint8_t* to = values->mutable_data();
  for (const RowsOfColumn& part : parts) {
    take_values_of_width(width, *part.column, {part.rows, false}, to);
    to += static_cast<int64_t>(part.rows.size()) * width;
  }
  return Column::flat({first.type(), first.physical(), num_rows, 0, std::move(values), nullptr, {}, {}});
}

ColumnPtr flatten(const ColumnPtr& column, const BudgetPtr& budget) {
  switch (column->encoding()) {
    case Encoding::Constant:
      return flatten_constant(*column, budget);
    case Encoding::Dictionary:
      return flatten_dictionary(*column, budget);
    case Encoding::Flat:
      break;
  }
  return column->offset() == 0 ? column : move_to_start(*column, budget);
}

ColumnPtr widen_decimal(const ColumnPtr& column, const BudgetPtr& budget) {
  if (!column->type().is_decimal() || column->physical() == PhysicalType::Int128) return column;
  switch (column->encoding()) {
    case Encoding::Constant:
      return Column::constant(widen_flat(*column->child_values(), budget), column->length());
    case Encoding::Dictionary: {
      const FlatParts& parts = column->parts();
      return Column::dictionary(widen_flat(*column->child_values(), budget), parts.values, parts.offset + parts.length,
                                parts.validity)
          ->slice(parts.offset, parts.length);
    }
    case Encoding::Flat:
      break;
  }
  return widen_flat(*column, budget);
}

}  // namespace accelerant::columns
