#include "columns/test_columns.h"

#include "columns/string_heap.h"
#include "types/integers.h"

#include <utility>

namespace accelerant::columns::test {

using memory::Buffer;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

std::shared_ptr<memory::Budget> unlimited() {
  static const auto kBudget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  return kBudget;
}

namespace {

std::string show_decimal(int128 value) {
  if (value < 0) return "-" + show_decimal(-value);
  std::string digits;
  for (; value > 9; value /= 10) digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  return static_cast<char>('0' + static_cast<int>(value)) + digits;
}

std::string join(const Column& column, int64_t first, int64_t last) {
  std::string text;
  for (int64_t i = first; i < last; ++i) text += (i > first ? "," : "") + show(column, i);
  return text;
}

std::string show_nested(const Column& column, int64_t row) {
  const auto& children = column.children();
  if (column.physical() == PhysicalType::Struct) {
    std::string text;
    for (const auto& child : children) text += (text.empty() ? "" : ",") + show(*child, column.offset() + row);
    return "(" + text + ")";
  }
  const int32_t* offsets = column.values<int32_t>();
  if (column.physical() == PhysicalType::Array) return "[" + join(*children[0], offsets[row], offsets[row + 1]) + "]";
  std::string text = "{";
  for (int32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
    text += (i > offsets[row] ? "," : "") + show(*children[0], i) + ":" + show(*children[1], i);
  }
  return text + "}";
}

}  // namespace

std::string show(const Column& column, int64_t row) {
  if (column.is_null(row)) return "null";
  if (column.is_constant()) return show(*column.child_values(), 0);
  if (column.is_dictionary()) return show(*column.child_values(), column.indices()[row]);
  switch (column.physical()) {
    case PhysicalType::Bool:
      return column.values<uint8_t>()[row] ? "true" : "false";
    case PhysicalType::Int8:
      return std::to_string(column.values<int8_t>()[row]);
    case PhysicalType::Int16:
      return std::to_string(column.values<int16_t>()[row]);
    case PhysicalType::Int32:
      return std::to_string(column.values<int32_t>()[row]);
    case PhysicalType::Int64:
      return std::to_string(column.values<int64_t>()[row]);
    case PhysicalType::Int128:
      return show_decimal(column.values<int128>()[row]);
    case PhysicalType::Float32:
      return std::to_string(column.values<float>()[row]);
    case PhysicalType::Float64:
      return std::to_string(column.values<double>()[row]);
    case PhysicalType::String: {
      const types::StringRef text = column.string_at(row);
      return std::string(text.data, static_cast<size_t>(text.length));
    }
    default:
      return show_nested(column, row);
  }
}

std::vector<std::string> show(const Column& column) {
  std::vector<std::string> rows;
  for (int64_t i = 0; i < column.length(); ++i) rows.push_back(show(column, i));
  return rows;
}

ColumnPtr make_strings(const std::vector<std::optional<std::string>>& rows, DataType type) {
  FlatBuilder builder(type, PhysicalType::String, static_cast<int64_t>(rows.size()), unlimited());
  std::vector<memory::BufferPtr> heap;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string text = rows[i].value_or("");
    auto& view = builder.values<types::StringView>()[i];
    const types::StringRef ref{text.data(), static_cast<int>(text.size())};
    if (!rows[i]) bits::clear(builder.validity(), static_cast<int64_t>(i));
    if (ref.length <= types::StringView::kMaxInlineBytes) {
      view = types::inline_view(ref);
      continue;
    }
    auto buffer = Buffer::allocate(ref.length + 3, unlimited());
    std::memcpy(buffer->mutable_data() + 3, text.data(), text.size());
    view = types::heap_view(ref, static_cast<int32_t>(heap.size()), 3);
    heap.push_back(std::move(buffer));
  }
  builder.set_heap(std::move(heap));
  return builder.finish();
}

ColumnPtr make_longs(const std::vector<std::optional<int64_t>>& rows) {
  return make_flat<int64_t>(DataType(TypeId::Long), rows, PhysicalType::Int64);
}

namespace {

/// Makes the offsets and validity of lists.
FlatParts list_parts(const DataType& type, const std::vector<int>& lengths) {
  const auto n = static_cast<int64_t>(lengths.size());
  auto offsets = Buffer::allocate((n + 1) * 4, unlimited());
  auto validity = Buffer::allocate_zeroed(bits::bytes_for(n), unlimited());
  int32_t* to = offsets->mutable_as<int32_t>();
  to[0] = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int length = lengths[static_cast<size_t>(i)];
    to[i + 1] = to[i] + std::max(length, 0);
    if (length >= 0) bits::set(validity->mutable_data(), i);
  }
  return {type, type.physical(), n, 0, std::move(offsets), std::move(validity), {}, {}};
}

}  // namespace

ColumnPtr make_array(ColumnPtr element, const std::vector<int>& lengths) {
  FlatParts parts = list_parts(DataType::array(element->type(), true), lengths);
  parts.children = {std::move(element)};
  return Column::flat(std::move(parts));
}

ColumnPtr make_dictionary(ColumnPtr dictionary, const std::vector<std::optional<int32_t>>& indices) {
  const auto n = static_cast<int64_t>(indices.size());
  auto buffer = Buffer::allocate(n * 4, unlimited());
  auto validity = Buffer::allocate_zeroed(bits::bytes_for(n), unlimited());
  for (int64_t i = 0; i < n; ++i) {
    const auto& index = indices[static_cast<size_t>(i)];
    buffer->mutable_as<int32_t>()[i] = index.value_or(0);
    if (index) bits::set(validity->mutable_data(), i);
  }
  return Column::dictionary(std::move(dictionary), std::move(buffer), n, std::move(validity));
}

namespace {

template <class T>
ColumnPtr numbers(const DataType& type, int n, bool nulls, PhysicalType physical) {
  std::vector<std::optional<T>> rows;
  for (int i = 0; i < n; ++i) {
    if (nulls && i % 3 == 1) {
      rows.emplace_back();
    } else {
      rows.emplace_back(static_cast<T>(i * 7 - 20));
    }
  }
  return make_flat<T>(type, rows, physical);
}

ColumnPtr booleans(int n, bool nulls) {
  std::vector<std::optional<uint8_t>> rows;
  for (int i = 0; i < n; ++i) rows.push_back(nulls && i % 4 == 1 ? std::nullopt : std::optional<uint8_t>(i % 3 == 0));
  return make_flat<uint8_t>(DataType(TypeId::Boolean), rows, PhysicalType::Bool);
}

ColumnPtr texts(int n, bool nulls, TypeId id) {
  std::vector<std::optional<std::string>> rows;
  for (int i = 0; i < n; ++i) {
    rows.push_back(nulls && i % 3 == 1
                       ? std::nullopt
                       : std::optional(std::string(static_cast<size_t>(i % 17), 'a') + std::to_string(i)));
  }
  return make_strings(rows, DataType(id));
}

std::vector<int> list_lengths(int n, bool nulls) {
  std::vector<int> lengths;
  for (int i = 0; i < n; ++i) lengths.push_back(nulls && i % 5 == 2 ? -1 : i % 4);
  return lengths;
}

ColumnPtr maps(int n, bool nulls) {
  FlatParts parts =
      list_parts(DataType::map(DataType(TypeId::String), DataType(TypeId::Long), true), list_lengths(n, nulls));
  parts.children = {texts(2 * n, false, TypeId::String),
                    numbers<int64_t>(DataType(TypeId::Long), 2 * n, nulls, PhysicalType::Int64)};
  return Column::flat(std::move(parts));
}

ColumnPtr structs(int n, bool nulls) {
  const DataType type =
      DataType::structure({{"a", DataType(TypeId::Long), true}, {"b", DataType(TypeId::String), true}});
  FlatParts parts = list_parts(type, list_lengths(n, nulls));
  parts.values = nullptr;
  if (!nulls) parts.validity = nullptr;
  parts.children = {numbers<int64_t>(DataType(TypeId::Long), n, nulls, PhysicalType::Int64),
                    texts(n, nulls, TypeId::String)};
  return Column::flat(std::move(parts));
}

ColumnPtr scalars(TypeId id, int n, bool nulls) {
  switch (id) {
    case TypeId::Boolean:
      return booleans(n, nulls);
    case TypeId::Byte:
      return numbers<int8_t>(DataType(id), n, nulls, PhysicalType::Int8);
    case TypeId::Short:
      return numbers<int16_t>(DataType(id), n, nulls, PhysicalType::Int16);
    case TypeId::Float:
      return numbers<float>(DataType(id), n, nulls, PhysicalType::Float32);
    case TypeId::Double:
      return numbers<double>(DataType(id), n, nulls, PhysicalType::Float64);
    case TypeId::Int:
    case TypeId::Date:
      return numbers<int32_t>(DataType(id), n, nulls, PhysicalType::Int32);
    case TypeId::String:
    case TypeId::Binary:
      return texts(n, nulls, id);
    default:
      return numbers<int64_t>(DataType(id), n, nulls, PhysicalType::Int64);
  }
}

/// Returns flat columns of all types.
std::vector<Sample> flat_samples(int n, bool nulls) {
  std::vector<Sample> all;
  const auto add = [&](std::string name, ColumnPtr column) { all.push_back({std::move(name), std::move(column)}); };
  for (TypeId id :
       {TypeId::Boolean, TypeId::Byte, TypeId::Short, TypeId::Int, TypeId::Long, TypeId::Float, TypeId::Double,
        TypeId::String, TypeId::Binary, TypeId::Date, TypeId::Timestamp, TypeId::TimestampNtz}) {
    add(DataType(id).to_string(), scalars(id, n, nulls));
  }
  const DataType seconds = DataType::interval(TypeId::DayTimeInterval, 0, 3);
  add("day_time", numbers<int64_t>(seconds, n, nulls, PhysicalType::Int64));
  const DataType months = DataType::interval(TypeId::YearMonthInterval, 0, 1);
  add("year_month", numbers<int32_t>(months, n, nulls, PhysicalType::Int32));
  add("decimal_long", numbers<int64_t>(DataType::decimal(15, 2), n, nulls, PhysicalType::Int64));
  add("decimal_narrow", numbers<int64_t>(DataType::decimal(32, 4), n, nulls, PhysicalType::Int64));
  add("decimal_wide", numbers<int128>(DataType::decimal(32, 4), n, nulls, PhysicalType::Int128));
  add("array", make_array(texts(2 * n, nulls, TypeId::String), list_lengths(n, nulls)));
  add("nested_array",
      make_array(make_array(booleans(4 * n, nulls), list_lengths(2 * n, nulls)), list_lengths(n, nulls)));
  add("map", maps(n, nulls));
  add("struct", structs(n, nulls));
  add("array_of_struct", make_array(structs(2 * n, nulls), list_lengths(n, nulls)));
  add("null", Column::flat({DataType(TypeId::Null), PhysicalType::Null, n, 0, nullptr, nullptr, {}, {}}));
  return all;
}

/// Adds the other encodings of a flat column: sliced, dictionary, constant, and slices of these.
void add_encodings(const Sample& sample, int n, std::vector<Sample>& all) {
  std::vector<std::optional<int32_t>> indices;
  for (int i = 0; i < n + 2; ++i) indices.push_back(i % 7 == 3 ? std::nullopt : std::optional(i * 5 % n));
  all.push_back(sample);
  all.push_back({sample.name + " dictionary", make_dictionary(sample.column, indices)->slice(2, n)});
  all.push_back({sample.name + " constant", Column::constant(sample.column->slice(n - 1, 1), n)});
}

}  // namespace

std::vector<Sample> samples(int num_rows) {
  std::vector<Sample> all;
  for (bool nulls : {false, true}) {
    const std::string suffix = nulls ? " nullable" : "";
    for (auto& sample : flat_samples(num_rows, nulls)) {
      add_encodings({sample.name + suffix, sample.column}, num_rows, all);
    }
    for (auto& sample : flat_samples(num_rows + 5, nulls)) {
      add_encodings({sample.name + suffix + " sliced", sample.column->slice(3, num_rows)}, num_rows, all);
    }
    all.push_back({"nulls", Column::nulls(DataType(TypeId::String), num_rows, unlimited())});
    all.push_back({"null structs", Column::nulls(structs(1, true)->type(), num_rows, unlimited())});
    all.push_back({"null arrays", Column::nulls(DataType::array(DataType(TypeId::Int), true), num_rows, unlimited())});
  }
  return all;
}

}  // namespace accelerant::columns::test
