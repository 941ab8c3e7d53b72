#include "aggregates/value_slots.h"

#include "aggregates/text_columns.h"
#include "columns/value_reader.h"

#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace accelerant::aggregates {

using functions::HeldText;
using types::PhysicalType;

namespace {

bool is_text(const types::DataType& type) { return type.physical() == PhysicalType::String; }

}  // namespace

ValueSlots::ValueSlots(const types::DataType& type, std::shared_ptr<memory::Budget> budget)
    : type_(type),
      width_(is_text(type) ? 0 : static_cast<size_t>(types::width_of(type.physical()))),
      budget_(std::move(budget)),
      store_(budget_) {}

void ValueSlots::resize(int64_t num_groups) {
  const auto size = static_cast<size_t>(num_groups);
  valid_.resize(size);
  if (is_text(type_)) {
    texts_.resize(size, HeldText::init());
  } else {
    values_.resize(size * width_);
  }
}

void ValueSlots::set(int32_t group, const columns::Column& column, int64_t row) {
  const auto slot = static_cast<size_t>(group);
  valid_[slot] = !column.is_null(row);
  if (!valid_[slot]) return;
  columns::visit_physical(type_.physical(), [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_same_v<T, std::string_view>) {
      store_.assign(texts_[slot], column.string_at(row));
    } else {
      const T value = columns::ValueReader<T>(column)(row);
      std::memcpy(values_.data() + slot * width_, &value, sizeof value);
    }
    return 0;
  });
}

void ValueSlots::copy(int32_t group, const ValueSlots& from, int32_t from_group) {
  const auto to_slot = static_cast<size_t>(group);
  const auto from_slot = static_cast<size_t>(from_group);
  valid_[to_slot] = from.valid_[from_slot];
  if (!valid_[to_slot]) return;
  if (is_text(type_)) {
    store_.assign(texts_[to_slot], from.texts_[from_slot].view());
  } else {
    std::memcpy(values_.data() + to_slot * width_, from.values_.data() + from_slot * width_, width_);
  }
}

columns::ColumnPtr ValueSlots::finish(int64_t first, int64_t length) const {
  columns::FlatBuilder builder(type_, type_.physical(), length, budget_);
  if (is_text(type_)) {
    const HeldText* texts = texts_.data() + first;
    put_texts(builder, length, budget_, [=](int64_t i) { return texts[i].view(); });
  } else if (length > 0 && width_ > 0) {
    std::memcpy(builder.values<char>(), values_.data() + static_cast<size_t>(first) * width_,
                static_cast<size_t>(length) * width_);
  }
  for (int64_t i = 0; i < length; ++i) {
    if (!valid_[static_cast<size_t>(first + i)]) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

int64_t ValueSlots::memory_bytes() const {
  return static_cast<int64_t>(valid_.capacity() + values_.capacity() + texts_.capacity() * sizeof(HeldText));
}

}  // namespace accelerant::aggregates
