#include "io/json_column.h"

#include "base/bits.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace accelerant::io {

using types::StringView;
using types::TypeId;

namespace {

constexpr int64_t kFirstJsonRows = 1024;
constexpr int64_t kFirstHeapBytes = 16 * 1024;

}  // namespace

bool is_json_type(const types::DataType& type) {
  switch (type.id()) {
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::Decimal:
    case TypeId::String:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
      return true;
    case TypeId::Map:
      if (!type.fields()[0].type.is(TypeId::String)) return false;
      [[fallthrough]];
    case TypeId::Array:
    case TypeId::Struct:
      return std::ranges::all_of(type.fields(), [](const types::Field& field) { return is_json_type(field.type); });
    case TypeId::Null:
    case TypeId::Binary:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::CalendarInterval:
    case TypeId::Other:
      return false;
  }
  return false;
}

JsonColumn::JsonColumn(const types::DataType& type, const std::shared_ptr<memory::Budget>& budget)
    : type_(type),
      physical_(type.physical()),
      width_(types::width_of(physical_)),
      budget_(budget),
      names_(type.is(TypeId::Struct) ? type.fields() : std::vector<types::Field>()),
      values_(budget),
      validity_(budget),
      heap_(budget) {
  if (!type.is_nested()) return;
  children_.reserve(type.fields().size());
  for (const types::Field& field : type.fields()) children_.emplace_back(field.type, budget);
}

void JsonColumn::grow() {
  const int64_t capacity = std::max(kFirstJsonRows, 2 * capacity_);
  const int64_t num_kept = has_offsets() ? length_ + 1 : length_;
  if (width_ > 0) values_.reserve((capacity + 1) * width_, capacity_ == 0 ? 0 : num_kept * width_);
  validity_.reserve(capacity, length_);
  if (capacity_ == 0 && has_offsets()) values_as<int32_t>()[0] = 0;
  capacity_ = capacity;
}

char* JsonColumn::text_room(int64_t bytes) {
  const int64_t needed = heap_bytes_ + bytes;
  if (needed > heap_capacity_) {
    const int64_t capacity = std::max({kFirstHeapBytes, 2 * heap_capacity_, needed});
    heap_.reserve(capacity, heap_bytes_);
    heap_capacity_ = capacity;
  }
  return reinterpret_cast<char*>(heap_.data()) + heap_bytes_;
}

void JsonColumn::append_written(int32 length) {
  make_room();
  const types::StringRef text{reinterpret_cast<const char*>(heap_.data()) + heap_bytes_, length};
  if (length <= StringView::kMaxInlineBytes) {
    values_as<StringView>()[length_] = types::inline_view(text);
  } else {
    values_as<StringView>()[length_] = types::heap_view(text, 0, static_cast<int32>(heap_bytes_));
    heap_bytes_ += length;
  }
  end_row(true);
}

void JsonColumn::append_text(types::StringRef text) {
  if (text.length > StringView::kMaxInlineBytes) {
    std::memcpy(text_room(text.length), text.data, static_cast<size_t>(text.length));
    append_written(text.length);
    return;
  }
  make_room();
  values_as<StringView>()[length_] = types::inline_view(text);
  end_row(true);
}

void JsonColumn::append_null() {
  make_room();
  if (has_offsets()) {
    values_as<int32_t>()[length_ + 1] = values_as<int32_t>()[length_];
  } else if (width_ > 0) {
    std::memset(values_.data() + length_ * width_, 0, static_cast<size_t>(width_));
  } else {
    for (JsonColumn& child : children_) child.append_null();
  }
  end_row(false);
}

void JsonColumn::append_nested() {
  make_room();
  if (has_offsets()) values_as<int32_t>()[length_ + 1] = static_cast<int32_t>(children_[0].length());
  end_row(true);
}

void JsonColumn::truncate(int64_t length) {
  if (has_offsets()) {
    const int64_t num_elements = capacity_ == 0 ? 0 : values_as<int32_t>()[std::min(length, length_)];
    for (JsonColumn& child : children_) child.truncate(num_elements);
  } else {
    for (JsonColumn& child : children_) child.truncate(length);
  }
  length_ = std::min(length, length_);
  if (length_ == 0) heap_bytes_ = 0;
}

memory::BufferPtr JsonColumn::packed_validity() {
  if (!has_nulls_) return nullptr;
  auto packed = memory::Buffer::allocate(bits::bytes_for(length_), budget_);
  bits::pack(validity_.data(), length_, packed->mutable_data());
  return packed;
}

columns::ColumnPtr JsonColumn::finish() {
  if (capacity_ == 0) grow();
  columns::FlatParts parts{type_, physical_, length_, 0, nullptr, packed_validity(), {}, {}};
  for (JsonColumn& child : children_) parts.children.push_back(child.finish());
  if (width_ > 0) parts.values = values_.take();
  if (heap_bytes_ > 0) parts.heap.push_back(heap_.take());
  if (heap_bytes_ > 0) heap_capacity_ = 0;
  validity_.take();
  length_ = capacity_ = heap_bytes_ = 0;
  has_nulls_ = false;
  return columns::Column::flat(std::move(parts));
}

}  // namespace accelerant::io
