#include "operators/value_slots.h"

#include "columns/string_heap.h"
#include "operators/value_reader.h"

#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using types::PhysicalType;

namespace {

bool is_text(const types::DataType& type) { return type.physical() == PhysicalType::String; }

}  // namespace

ValueSlots::ValueSlots(const types::DataType& type, std::shared_ptr<memory::Budget> budget)
    : type_(type),
      width_(is_text(type) ? 0 : static_cast<size_t>(types::width_of(type.physical()))),
      budget_(std::move(budget)) {}

void ValueSlots::resize(int64_t num_groups) {
  const auto size = static_cast<size_t>(num_groups);
  valid_.resize(size);
  if (is_text(type_)) {
    strings_.resize(size);
  } else {
    values_.resize(size * width_);
  }
}

void ValueSlots::set(int32_t group, const columns::Column& column, int64_t row) {
  const auto slot = static_cast<size_t>(group);
  valid_[slot] = !column.is_null(row);
  if (!valid_[slot]) return;
  visit_physical(type_.physical(), [&](auto sample) {
    using T = decltype(sample);
    const T value = ValueReader<T>(column)(row);
    if constexpr (std::is_same_v<T, std::string_view>) {
      set_string(group, value);
    } else {
      std::memcpy(values_.data() + slot * width_, &value, sizeof value);
    }
    return 0;
  });
}

void ValueSlots::set_string(int32_t group, std::string_view text) {
  std::string& slot = strings_[static_cast<size_t>(group)];
  string_bytes_ -= static_cast<int64_t>(slot.capacity());
  slot.assign(text);
  string_bytes_ += static_cast<int64_t>(slot.capacity());
}

void ValueSlots::copy(int32_t group, const ValueSlots& from, int32_t from_group) {
  const auto to_slot = static_cast<size_t>(group);
  const auto from_slot = static_cast<size_t>(from_group);
  valid_[to_slot] = from.valid_[from_slot];
  if (!valid_[to_slot]) return;
  if (is_text(type_)) {
    set_string(group, from.strings_[from_slot]);
  } else {
    std::memcpy(values_.data() + to_slot * width_, from.values_.data() + from_slot * width_, width_);
  }
}

columns::ColumnPtr ValueSlots::finish(int64_t first, int64_t length) const {
  columns::FlatBuilder builder(type_, type_.physical(), length, budget_);
  if (is_text(type_)) {
    finish_strings(builder, first, length);
  } else if (length > 0 && width_ > 0) {
    std::memcpy(builder.values<char>(), values_.data() + static_cast<size_t>(first) * width_,
                static_cast<size_t>(length) * width_);
  }
  for (int64_t i = 0; i < length; ++i) {
    if (!valid_[static_cast<size_t>(first + i)]) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

void ValueSlots::finish_strings(columns::FlatBuilder& builder, int64_t first, int64_t length) const {
  const auto strings = std::span(strings_).subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  int64_t long_bytes = 0;
  for (const std::string& text : strings) {
    if (text.size() > types::StringView::kMaxInlineBytes) long_bytes += static_cast<int64_t>(text.size());
  }
  columns::StringHeap heap(long_bytes, budget_);
  auto* views = builder.values<types::StringView>();
  for (const std::string& text : strings) *views++ = heap.add({text.data(), static_cast<int32_t>(text.size())});
  builder.set_heap(heap.finish());
}

int64_t ValueSlots::memory_bytes() const {
  return static_cast<int64_t>(valid_.capacity() + values_.capacity() + strings_.capacity() * sizeof(std::string)) +
         string_bytes_;
}

}  // namespace accelerant::operators
