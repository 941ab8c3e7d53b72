#include "columns/gather_parts.h"

#include "base/error.h"
#include "columns/gather.h"
#include "columns/value_reader.h"
#include "memory/budget_ptr.h"
#include "types/integers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::columns {

using memory::BudgetPtr;
using memory::Buffer;
using types::PhysicalType;
using types::StringView;

namespace {

using PartRows = std::span<const PartRow>;

/// What is known of each part, by the part of a row.
template <class T>
class OfParts {
 public:
  template <class Make>
  OfParts(std::span<const ColumnPtr> parts, Make make) {
    for (const ColumnPtr& part : parts) values_.push_back(make(*part));
  }

  const T& of(const PartRow& row) const { return values_[static_cast<size_t>(row.part)]; }

 private:
  std::vector<T> values_;
};

/// Returns the validity of the rows; nullptr when none of them is null.
memory::BufferPtr take_part_validity(std::span<const ColumnPtr> parts, PartRows rows, const BudgetPtr& budget) {
  if (std::ranges::none_of(parts, [](const ColumnPtr& part) { return part->may_have_nulls(); })) return nullptr;
  const OfParts<const uint8_t*> bitmaps(parts, [](const Column& part) { return part.validity(); });
  const OfParts<int64_t> offsets(parts, [](const Column& part) { return part.offset(); });
  auto bytes = Buffer::allocate(static_cast<int64_t>(rows.size()), budget);
  uint8_t* to = bytes->mutable_data();
  for (const PartRow& row : rows) {
    const uint8_t* bitmap = bitmaps.of(row);
    *to++ = !bitmap || bits::get(bitmap, offsets.of(row) + row.row);
  }
  const auto length = static_cast<int64_t>(rows.size());
  auto validity = Buffer::allocate(bits::bytes_for(length), budget);
  bits::pack(bytes->data(), length, validity->mutable_data());
  return bits::count(validity->data(), 0, length) == length ? nullptr : validity;
}

template <class T>
void take_part_values(std::span<const ColumnPtr> parts, PartRows rows, T* to) {
  const OfParts<const T*> values(parts, [](const Column& part) { return part.values<T>(); });
  for (const PartRow& row : rows) *to++ = values.of(row)[row.row];
}

void take_decimals(std::span<const ColumnPtr> parts, PartRows rows, int128* to) {
  const OfParts<ValueReader<int128>> values(parts, [](const Column& part) { return ValueReader<int128>(part); });
  for (const PartRow& row : rows) *to++ = values.of(row)(row.row);
}

/// Takes views, and lets them point into the heaps of all parts one after the other.
void take_strings(std::span<const ColumnPtr> parts, PartRows rows, FlatParts& out, StringView* to) {
  const OfParts<int32_t> first_buffers(parts, [&](const Column& part) {
    const auto first = static_cast<int32_t>(out.heap.size());
    out.heap.insert(out.heap.end(), part.heap().begin(), part.heap().end());
    return first;
  });
  take_part_values(parts, rows, to);
  if (out.heap.empty()) return;
  for (const PartRow& row : rows) {
    if (!to->is_inline()) to->ref.buffer += first_buffers.of(row);
    ++to;
  }
}

void take_values_of(PhysicalType physical, std::span<const ColumnPtr> parts, PartRows rows, uint8_t* to) {
  switch (const int width = types::width_of(physical)) {
    case 1:
      return take_part_values(parts, rows, to);
    case 2:
      return take_part_values(parts, rows, reinterpret_cast<uint16_t*>(to));
    case 4:
      return take_part_values(parts, rows, reinterpret_cast<uint32_t*>(to));
    case 8:
      return take_part_values(parts, rows, reinterpret_cast<uint64_t*>(to));
    case 16:
      return take_decimals(parts, rows, reinterpret_cast<int128*>(to));
    default:
      throw Error(ErrorKind::Internal, "gather_parts: values of " + std::to_string(width) + " bytes");
  }
}

/// Takes the rows part by part, and puts them in their order then.
ColumnPtr take_nested_parts(std::span<const ColumnPtr> parts, PartRows rows, const BudgetPtr& budget) {
  std::vector<std::vector<int32_t>> of_parts(parts.size());
  std::vector<int32_t> places;
  for (const PartRow& row : rows) {
    auto& of_part = of_parts[static_cast<size_t>(row.part)];
    places.push_back(static_cast<int32_t>(of_part.size()));
    of_part.push_back(row.row);
  }
  std::vector<int32_t> begins = {0};
  for (const auto& of_part : of_parts) begins.push_back(begins.back() + static_cast<int32_t>(of_part.size()));
  for (size_t i = 0; i < rows.size(); ++i) places[i] += begins[static_cast<size_t>(rows[i].part)];
  std::vector<ColumnPtr> taken;
  for (size_t part = 0; part < parts.size(); ++part) taken.push_back(gather(*parts[part], of_parts[part], budget));
  return gather(*concatenate(taken, budget), places, budget);
}

}  // namespace

ColumnPtr gather_parts(std::span<const ColumnPtr> parts, PartRows rows, const BudgetPtr& budget) {
  const Column& first = *parts.front();
  if (first.type().is_nested()) return take_nested_parts(parts, rows, budget);
  FlatParts out{first.type(), first.physical(), static_cast<int64_t>(rows.size()), 0, nullptr, nullptr, {}, {}};
  for (const ColumnPtr& part : parts) {
    if (part->physical() == PhysicalType::Int128) out.physical = PhysicalType::Int128;
  }
  if (out.physical == PhysicalType::Null) return Column::flat(std::move(out));
  out.validity = take_part_validity(parts, rows, budget);
  auto values = Buffer::allocate(out.length * types::width_of(out.physical), budget);
  if (out.physical == PhysicalType::String) {
    take_strings(parts, rows, out, values->mutable_as<StringView>());
  } else {
    take_values_of(out.physical, parts, rows, values->mutable_data());
  }
  out.values = std::move(values);
  return Column::flat(std::move(out));
}

}  // namespace accelerant::columns
