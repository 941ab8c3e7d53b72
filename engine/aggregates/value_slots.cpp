#include "aggregates/value_slots.h"

#include "aggregates/text_columns.h"
#include "columns/value_reader.h"

#include <cstring>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace accelerant::aggregates {

using functions::HeldText;
using types::PhysicalType;

namespace {

bool is_text(const types::DataType& type) { return type.physical() == PhysicalType::String; }

/// Returns the bytes of a value that lies in one piece; 0 for others.
size_t width_of(const types::DataType& type) {
  return is_text(type) || type.is_nested() ? 0 : static_cast<size_t>(types::width_of(type.physical()));
}

}  // namespace

ValueSlots::ValueSlots(const types::DataType& type, std::shared_ptr<memory::Budget> budget)
    : type_(type),
      width_(width_of(type)),
      budget_(std::move(budget)),
      valid_(budget_),
      values_(budget_),
      texts_(budget_),
      store_(budget_),
      nested_(type, budget_) {}

void ValueSlots::resize(int64_t num_groups) {
  if (is_nested()) return nested_.resize(num_groups);
  valid_.resize(num_groups);
  if (is_text(type_)) {
    texts_.resize(num_groups, HeldText::init());
  } else {
    values_.resize(num_groups * static_cast<int64_t>(width_));
  }
}

void ValueSlots::set(int32_t group, const columns::Column& column, int64_t row) {
  if (column.is_null(row)) {
    valid_[group] = 0;
    return;
  }
  columns::visit_physical(type_.physical(), [&](auto sample) {
    using T = decltype(sample);
    if constexpr (std::is_same_v<T, std::string_view>) {
      store_.assign(texts_[group], column.string_at(row));
    } else {
      const T value = columns::ValueReader<T>(column)(row);
      std::memcpy(values_.data() + static_cast<size_t>(group) * width_, &value, sizeof value);
    }
    return 0;
  });
  // Last, so that a slot without a value has none where memory for it is short.
  valid_[group] = 1;
}

void ValueSlots::set_rows(std::span<const int32_t> groups, const columns::Column& column,
                          std::span<const int32_t> rows) {
  if (is_nested()) return nested_.set(groups, column, rows);
  for (size_t i = 0; i < groups.size(); ++i) set(groups[i], column, rows[i]);
}

void ValueSlots::copy_slots(std::span<const int32_t> groups, const ValueSlots& from,
                            std::span<const int32_t> from_groups) {
  if (is_nested()) return nested_.copy(groups, from.nested_, from_groups);
  for (size_t i = 0; i < groups.size(); ++i) copy(groups[i], from, from_groups[i]);
}

void ValueSlots::copy(int32_t group, const ValueSlots& from, int32_t from_group) {
  valid_[group] = from.valid_[from_group];
  if (!valid_[group]) return;
  if (is_text(type_)) {
    store_.assign(texts_[group], from.texts_[from_group].view());
  } else {
    std::memcpy(values_.data() + static_cast<size_t>(group) * width_,
                from.values_.data() + static_cast<size_t>(from_group) * width_, width_);
  }
}

columns::ColumnPtr ValueSlots::finish(int64_t first, int64_t length) const {
  if (is_nested()) {
    std::vector<int32_t> groups(static_cast<size_t>(length));
    std::iota(groups.begin(), groups.end(), static_cast<int32_t>(first));
    return nested_.values_of(groups, budget_);
  }
  columns::FlatBuilder builder(type_, type_.physical(), length, budget_);
  if (is_text(type_)) {
    const HeldText* texts = texts_.data() + first;
    put_texts(builder, length, budget_, [=](int64_t i) { return texts[i].view(); });
  } else if (length > 0 && width_ > 0) {
    std::memcpy(builder.values<char>(), values_.data() + static_cast<size_t>(first) * width_,
                static_cast<size_t>(length) * width_);
  }
  for (int64_t i = 0; i < length; ++i) {
    if (!valid_[first + i]) bits::clear(builder.validity(), i);
  }
  return builder.finish();
}

}  // namespace accelerant::aggregates
