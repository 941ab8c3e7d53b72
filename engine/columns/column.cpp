#include "columns/column.h"

#include "base/error.h"

#include <utility>

namespace accelerant::columns {

using types::PhysicalType;

namespace {

/// Makes a flat column of one null; a nested type's children are one null each.
ColumnPtr one_null(const types::DataType& type, const std::shared_ptr<memory::Budget>& budget) {
  FlatParts parts{type, type.physical(), 1, 0, nullptr, memory::Buffer::allocate_zeroed(1, budget), {}, {}};
  parts.values = memory::Buffer::allocate_zeroed(2 * types::width_of(parts.physical), budget);
  for (const auto& field : type.fields()) parts.children.push_back(one_null(field.type, budget));
  return Column::flat(std::move(parts));
}

}  // namespace

Column::Column(FlatParts parts, Encoding encoding) : parts_(std::move(parts)), encoding_(encoding) {
  heap_addresses_.reserve(parts_.heap.size());
  for (const auto& buffer : parts_.heap) heap_addresses_.push_back(buffer->as<char>());
}

ColumnPtr Column::flat(FlatParts parts) {
  ACC_CHECK(parts.length >= 0 && parts.offset >= 0);
  const int64_t extra = parts.physical == PhysicalType::Array || parts.physical == PhysicalType::Map;
  ACC_CHECK(types::width_of(parts.physical) == 0 || parts.length == 0 ||
            (parts.values &&
             parts.values->size_bytes() >= (parts.offset + parts.length + extra) * types::width_of(parts.physical)));
  return ColumnPtr(new Column(std::move(parts), Encoding::Flat));
}

ColumnPtr Column::constant(ColumnPtr value, int64_t length) {
  ACC_CHECK(value->is_flat() && value->length() == 1);
  FlatParts parts{value->type(), value->physical(), length, 0, nullptr, nullptr, {}, {}};
  parts.children.push_back(std::move(value));
  return ColumnPtr(new Column(std::move(parts), Encoding::Constant));
}

ColumnPtr Column::dictionary(ColumnPtr dictionary, memory::BufferPtr indices, int64_t length,
                             memory::BufferPtr validity) {
  ACC_CHECK(dictionary->is_flat() && indices->size_bytes() >= length * static_cast<int64_t>(sizeof(int32_t)));
  FlatParts parts{dictionary->type(), dictionary->physical(), length, 0,
                  std::move(indices), std::move(validity),    {},     {}};
  parts.children.push_back(std::move(dictionary));
  return ColumnPtr(new Column(std::move(parts), Encoding::Dictionary));
}

ColumnPtr Column::nulls(const types::DataType& type, int64_t length, const std::shared_ptr<memory::Budget>& budget) {
  return constant(one_null(type, budget), length);
}

ColumnPtr Column::slice(int64_t offset, int64_t length) const {
  ACC_CHECK(offset >= 0 && length >= 0 && offset + length <= parts_.length);
  FlatParts parts = parts_;
  parts.length = length;
  if (encoding_ != Encoding::Constant) parts.offset += offset;
  return ColumnPtr(new Column(std::move(parts), encoding_));
}

ColumnPtr Column::with_type(const types::DataType& type) const {
  FlatParts parts = parts_;
  parts.type = type;
  if (encoding_ != Encoding::Flat) {
    parts.children[0] = parts.children[0]->with_type(type);
  } else if (type.is_nested()) {
    for (size_t i = 0; i < parts.children.size(); ++i) {
      const types::DataType& child = type.fields()[i].type;
      if (child != parts.children[i]->type()) parts.children[i] = parts.children[i]->with_type(child);
    }
  }
  return ColumnPtr(new Column(std::move(parts), encoding_));
}

bool Column::is_null(int64_t row) const {
  if (parts_.physical == PhysicalType::Null) return true;
  if (encoding_ == Encoding::Constant) return child_values()->is_null(0);
  if (parts_.validity && !bits::get(parts_.validity->data(), parts_.offset + row)) return true;
  return encoding_ == Encoding::Dictionary && child_values()->is_null(indices()[row]);
}

bool Column::may_have_nulls() const {
  if (parts_.physical == PhysicalType::Null || parts_.validity) return true;
  return encoding_ != Encoding::Flat && child_values()->may_have_nulls();
}

int64_t Column::count_nulls() const {
  if (!may_have_nulls()) return 0;
  if (encoding_ == Encoding::Flat && parts_.validity) {
    return parts_.length - bits::count(parts_.validity->data(), parts_.offset, parts_.length);
  }
  int64_t nulls = 0;
  for (int64_t row = 0; row < parts_.length; ++row) nulls += is_null(row);
  return nulls;
}

bool Column::owns_its_bytes_only() const {
  if (!is_flat() || !parts_.children.empty() || physical() == types::PhysicalType::String || !parts_.values)
    return false;
  const bool needs_values = parts_.values->size_bytes() == length() * types::width_of(physical());
  return needs_values && (!parts_.validity || parts_.validity->size_bytes() == bits::bytes_for(length()));
}

int64_t Column::memory_bytes() const {
  int64_t bytes = 0;
  if (parts_.values) bytes += parts_.values->size_bytes();
  if (parts_.validity) bytes += parts_.validity->size_bytes();
  for (const auto& buffer : parts_.heap) bytes += buffer->size_bytes();
  for (const auto& child : parts_.children) bytes += child->memory_bytes();
  return bytes;
}

FlatBuilder::FlatBuilder(const types::DataType& type, PhysicalType physical, int64_t length,
                         const std::shared_ptr<memory::Budget>& budget)
    : budget_(budget) {
  parts_.type = type;
  parts_.physical = physical;
  parts_.length = length;
  values_ = memory::Buffer::allocate(length * types::width_of(physical), budget);
}

uint8_t* FlatBuilder::validity() {
  if (!validity_) {
    validity_ = memory::Buffer::allocate(bits::bytes_for(parts_.length), budget_);
    bits::fill(validity_->mutable_data(), parts_.length, true);
    parts_.validity = validity_;
  }
  return validity_->mutable_data();
}

void FlatBuilder::set_validity(memory::BufferPtr validity) { parts_.validity = std::move(validity); }

ColumnPtr FlatBuilder::finish() {
  parts_.values = std::move(values_);
  return Column::flat(std::move(parts_));
}

}  // namespace accelerant::columns
