#include "operators/nested_keys.h"

#include "base/error.h"
#include "column_functions/stored_rows.h"
#include "columns/string_heap.h"
#include "columns/value_reader.h"
#include "memory/array.h"
#include "operators/group_keys.h"
#include "types/floating.h"
#include "types/integers.h"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace accelerant::operators {

using column_functions::StoredRows;
using columns::Column;
using columns::ColumnPtr;
using types::DataType;
using types::PhysicalType;

namespace {

/// Writes values one after the other: a null byte, then the value as KeyEncoder writes it; an array is its length and
/// its elements, a map likewise its entries, a struct its members. Below null lie zeros, no elements, members that are
/// null: so bytes can be read by type alone.
class Writer {
 public:
  explicit Writer(const std::shared_ptr<memory::Budget>& budget) : bytes_(budget) {}

  void write(const Column& column, int64_t row, const DataType& type) {
    const StoredRows rows(column);
    if (rows.is_null(row)) return write_null(type);
    put<uint8_t>(1);
    const Column& flat = rows.values();
    const int64_t place = rows.place(row);
    if (type.physical() == PhysicalType::Struct) return write_children(flat, flat.offset() + place, type);
    if (type.is_nested()) return write_elements(flat, place, type);
    write_value(flat, place, type);
  }
  std::string_view bytes() const { return {bytes_.data(), static_cast<size_t>(bytes_.size())}; }
  void clear() { bytes_.clear(); }

 private:
  template <class T>
  void put(T value) {
    const char* from = reinterpret_cast<const char*>(&value);
    bytes_.append(std::span(from, sizeof value));
  }

  void write_null(const DataType& type) {
    put<uint8_t>(0);
    if (type.physical() == PhysicalType::Struct) {
      for (const types::Field& field : type.fields()) write_null(field.type);
    } else if (type.is_nested() || type.physical() == PhysicalType::String) {
      put<int32_t>(0);
    } else {
      bytes_.append(types::width_of(type.physical()), 0);
    }
  }

  /// Writes a row of each child: a struct's members, an array's element, a map's key and value.
  void write_children(const Column& flat, int64_t row, const DataType& type) {
    for (size_t i = 0; i < flat.children().size(); ++i) write(*flat.children()[i], row, type.fields()[i].type);
  }

  void write_elements(const Column& flat, int64_t place, const DataType& type) {
    const int32_t* offsets = flat.values<int32_t>() + place;
    put(offsets[1] - offsets[0]);
    for (int32_t element = offsets[0]; element < offsets[1]; ++element) {
      write_children(flat, element, type);
    }
  }

  void write_value(const Column& flat, int64_t place, const DataType& type) {
    columns::visit_physical(type.physical(), [&](auto value) {
      using T = decltype(value);
      const T found = columns::ValueReader<T>(flat)(place);
      if constexpr (std::is_same_v<T, std::string_view>) {
        put(static_cast<int32_t>(found.size()));
        bytes_.append(std::span(found.data(), found.size()));
      } else if constexpr (std::is_floating_point_v<T>) {
        put(types::normalize_nan_and_zero(found));
      } else {
        put(found);
      }
      return true;
    });
  }

  memory::Array<char> bytes_;
};

/// Where the next bytes of some values are.
using Cursors = std::vector<const char*>;

template <class T>
T take(const char*& cursor) {
  T value;
  std::memcpy(&value, cursor, sizeof value);
  cursor += sizeof value;
  return value;
}

void skip(const DataType& type, const char*& cursor);

/// Moves a cursor past a value of each child.
void skip_children(const DataType& type, const char*& cursor) {
  for (const types::Field& field : type.fields()) skip(field.type, cursor);
}

/// Moves a cursor past a value.
void skip(const DataType& type, const char*& cursor) {
  ++cursor;
  if (type.physical() == PhysicalType::Struct) {
    skip_children(type, cursor);
  } else if (type.is_nested()) {
    for (int32_t left = take<int32_t>(cursor); left > 0; --left) skip_children(type, cursor);
  } else {
    const bool is_text = type.physical() == PhysicalType::String;
    cursor += is_text ? take<int32_t>(cursor) : types::width_of(type.physical());
  }
}

class Reader {
 public:
  explicit Reader(const std::shared_ptr<memory::Budget>& budget) : budget_(budget) {}

  /// Reads a value at each cursor, and moves it past that.
  ColumnPtr read(const DataType& type, Cursors& cursors) const {
    if (!type.is_nested()) return KeyEncoder::read_values(type, cursors, budget_);
    columns::FlatParts parts;
    parts.type = type;
    parts.physical = type.physical();
    parts.length = static_cast<int64_t>(cursors.size());
    parts.validity = read_validity(cursors);
    type.physical() == PhysicalType::Struct ? read_children(cursors, parts) : read_elements(cursors, parts);
    return Column::flat(std::move(parts));
  }

 private:
  memory::BufferPtr read_validity(Cursors& cursors) const {
    const auto num_rows = static_cast<int64_t>(cursors.size());
    auto validity = memory::Buffer::allocate(bits::bytes_for(num_rows), budget_);
    bits::fill(validity->mutable_data(), num_rows, true);
    for (int64_t row = 0; row < num_rows; ++row) {
      if (take<uint8_t>(cursors[static_cast<size_t>(row)]) == 0) bits::clear(validity->mutable_data(), row);
    }
    return validity;
  }

  void read_children(Cursors& cursors, columns::FlatParts& parts) const {
    for (const types::Field& field : parts.type.fields()) parts.children.push_back(read(field.type, cursors));
  }

  void read_elements(Cursors& cursors, columns::FlatParts& parts) const {
    auto offsets = memory::Buffer::allocate((parts.length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
    auto* ends = offsets->mutable_as<int32_t>();
    *ends++ = 0;
    Cursors elements;
    for (const char*& cursor : cursors) {
      for (int32_t left = take<int32_t>(cursor); left > 0; --left) {
        elements.push_back(cursor);
        skip_children(parts.type, cursor);
      }
      *ends++ = static_cast<int32_t>(elements.size());
    }
    parts.values = std::move(offsets);
    read_children(elements, parts);
  }

  const std::shared_ptr<memory::Budget>& budget_;
};

}  // namespace

ColumnPtr encode_nested_keys(const Column& column, const std::shared_ptr<memory::Budget>& budget) {
  const int64_t num_rows = column.length();
  Writer writer(budget);
  memory::Array<int64_t> ends(budget);
  for (int64_t row = 0; row < num_rows; ++row) {
    if (!column.is_null(row)) writer.write(column, row, column.type());
    ends.push_back(static_cast<int64_t>(writer.bytes().size()));
  }
  columns::StringHeap heap(static_cast<int64_t>(writer.bytes().size()), budget);
  columns::FlatBuilder builder(DataType(types::TypeId::Binary), PhysicalType::String, num_rows, budget);
  int64_t begin = 0;
  for (int64_t row = 0; row < num_rows; ++row) {
    const std::string_view key =
        writer.bytes().substr(static_cast<size_t>(begin), static_cast<size_t>(ends[row] - begin));
    if (key.size() > types::kMaxStringBytes) {
      throw Error(ErrorKind::Resource, "a key of nested values takes " + std::to_string(key.size()) +
                                           " bytes; at most " + std::to_string(types::kMaxStringBytes) + " can be");
    }
    const types::StringRef text{key.data(), static_cast<int32>(key.size())};
    const bool is_short = text.length <= types::StringView::kMaxInlineBytes;
    builder.values<types::StringView>()[row] = is_short ? types::inline_view(text) : heap.add(text);
    if (column.is_null(row)) bits::clear(builder.validity(), row);
    begin = ends[row];
  }
  builder.set_heap(heap.finish());
  return builder.finish();
}

ColumnPtr decode_nested_keys(const DataType& type, const Column& keys, const std::shared_ptr<memory::Budget>& budget) {
  Writer null(budget);
  null.write(*Column::nulls(type, 1, budget), 0, type);
  Cursors cursors;
  for (int64_t row = 0; row < keys.length(); ++row) {
    cursors.push_back(keys.is_null(row) ? null.bytes().data() : keys.string_at(row).data);
  }
  return Reader(budget).read(type, cursors);
}

}  // namespace accelerant::operators
