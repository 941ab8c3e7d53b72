#include "base/error.h"
#include "columns/gather.h"
#include "columns/string_heap.h"
#include "execution/context.h"
#include "memory/budget_ptr.h"
#include "memory/offset_limit.h"
#include "types/integers.h"

#include <string>
#include <utility>

namespace accelerant::columns {

using memory::BudgetPtr;
using memory::Buffer;
using types::PhysicalType;
using types::StringRef;
using types::StringView;

namespace {

using Parts = std::span<const ColumnPtr>;
using execution::Cancellation;

/// Looks at the cancellation, if there is one, before each part of some rows.
void look_at(const Cancellation* cancellation) {
  if (cancellation) cancellation->check();
}

int64_t total_length(Parts parts) {
  int64_t length = 0;
  for (const auto& part : parts) length += part->length();
  return length;
}

/// Writes a column's values one after the other, whatever its encoding.
template <class From, class To>
void write_values(const Column& column, To* to) {
  const int64_t n = column.length();
  switch (column.encoding()) {
    case Encoding::Flat: {
      const From* from = column.values<From>();
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
      return;
    }
    case Encoding::Constant: {
      const To value = static_cast<To>(column.child_values()->values<From>()[0]);
      for (int64_t i = 0; i < n; ++i) to[i] = value;
      return;
    }
    case Encoding::Dictionary: {
      const From* from = column.child_values()->values<From>();
      const int32_t* index = column.indices();
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(from[index[i]]);
      return;
    }
  }
}

void write_values_of(PhysicalType physical, const Column& column, uint8_t* to) {
  if (physical == PhysicalType::Int128 && column.physical() == PhysicalType::Int64) {
    return write_values<int64_t>(column, reinterpret_cast<int128*>(to));
  }
  ACC_CHECK(column.physical() == physical);
  switch (const int width = types::width_of(physical)) {
    case 1:
      return write_values<uint8_t>(column, to);
    case 2:
      return write_values<uint16_t>(column, reinterpret_cast<uint16_t*>(to));
    case 4:
      return write_values<uint32_t>(column, reinterpret_cast<uint32_t*>(to));
    case 8:
      return write_values<uint64_t>(column, reinterpret_cast<uint64_t*>(to));
    case 16:
      return write_values<uint128>(column, reinterpret_cast<uint128*>(to));
    default:
      throw Error(ErrorKind::Internal, "concatenate: values of " + std::to_string(width) + " bytes");
  }
}

/// Writes one byte a row: 1 for a value, 0 for null.
void write_valid_bytes(const Column& column, uint8_t* to) {
  const int64_t n = column.length();
  if (column.is_flat() && column.validity()) return bits::unpack(column.validity(), column.offset(), n, to);
  if (!column.may_have_nulls()) {
    std::memset(to, 1, static_cast<size_t>(n));
    return;
  }
  for (int64_t i = 0; i < n; ++i) to[i] = !column.is_null(i);
}

memory::BufferPtr join_validity(Parts parts, int64_t length, const BudgetPtr& budget,
                                const Cancellation* cancellation) {
  bool may_have_nulls = false;
  for (const auto& part : parts) may_have_nulls |= part->may_have_nulls();
  if (!may_have_nulls) return nullptr;
  auto bytes = Buffer::allocate(length, budget);
  int64_t position = 0;
  for (const auto& part : parts) {
    look_at(cancellation);
    write_valid_bytes(*part, bytes->mutable_data() + position);
    position += part->length();
  }
  auto validity = Buffer::allocate(bits::bytes_for(length), budget);
  bits::pack(bytes->data(), length, validity->mutable_data());
  return bits::count(validity->data(), 0, length) == length ? nullptr : validity;
}

int64_t long_bytes(const StringView& view) { return view.is_inline() ? 0 : view.length; }

/// Says whether it pays to copy a dictionary's strings once each instead of once a row.
bool shares_dictionary(const Column& column) {
  return !column.is_flat() && column.child_values()->length() <= column.length();
}

/// Visits the views of the strings that `column` needs, in order: of the dictionary if it is shared, else of each row
/// that is not null.
template <class Visit>
void visit_strings(const Column& column, Visit visit) {
  const Column& values = column.is_flat() ? column : *column.child_values();
  if (column.is_flat() || shares_dictionary(column)) {
    for (int64_t i = 0; i < values.length(); ++i) visit(values, i);
  } else if (column.is_dictionary()) {
    for (int64_t i = 0; i < column.length(); ++i) visit(values, column.indices()[i]);
  }
}

void write_strings(const Column& column, StringHeap& heap, StringView* to, const BudgetPtr& budget) {
  const auto add = [&heap](const Column& values, int64_t row, StringView& view) {
    view = values.is_null(row) ? StringView{} : heap.add(values.string_at(row));
  };
  if (!shares_dictionary(column)) {
    visit_strings(column, [&](const Column& values, int64_t row) { add(values, row, *to++); });
    return;
  }
  const int64_t num_values = column.child_values()->length();
  auto views = Buffer::allocate(num_values * static_cast<int64_t>(sizeof(StringView)), budget);
  auto* view = views->mutable_as<StringView>();
  visit_strings(column, [&](const Column& values, int64_t row) { add(values, row, view[row]); });
  for (int64_t i = 0; i < column.length(); ++i) to[i] = view[column.is_constant() ? 0 : column.indices()[i]];
}

/// Returns the bytes of all strings that a column needs and that are not in their views.
int64_t long_bytes_of(const Column& column) {
  int64_t num_bytes = 0;
  visit_strings(column, [&](const Column& values, int64_t row) {
    if (!values.is_null(row)) num_bytes += long_bytes(values.values<StringView>()[row]);
  });
  return num_bytes;
}

void join_strings(Parts parts, FlatParts& out, const BudgetPtr& budget, const Cancellation* cancellation) {
  int64_t heap_bytes = 0;
  for (const auto& part : parts) {
    look_at(cancellation);
    heap_bytes += long_bytes_of(*part);
  }
  StringHeap heap(heap_bytes, budget);
  auto values = Buffer::allocate(out.length * static_cast<int64_t>(sizeof(StringView)), budget);
  auto* to = values->mutable_as<StringView>();
  for (const auto& part : parts) {
    look_at(cancellation);
    write_strings(*part, heap, to, budget);
    to += part->length();
  }
  out.values = std::move(values);
  out.heap = heap.finish();
}

void join_lists(Parts parts, FlatParts& out, const BudgetPtr& budget, const Cancellation* cancellation) {
  auto offsets = Buffer::allocate((out.length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget);
  auto* to = offsets->mutable_as<int32_t>();
  std::vector<std::vector<ColumnPtr>> child_parts(out.type.fields().size());
  int64_t total = 0;
  *to = 0;
  for (const auto& part : parts) {
    if (part->length() == 0) continue;
    const int32_t* from = part->values<int32_t>();
    const int32_t elements = from[part->length()] - from[0];
    memory::check_offsets(total + elements, "array elements");
    for (int64_t i = 1; i <= part->length(); ++i) *++to = static_cast<int32_t>(total + from[i] - from[0]);
    for (size_t i = 0; i < child_parts.size(); ++i) {
      child_parts[i].push_back(part->children()[i]->slice(from[0], elements));
    }
    total += elements;
  }
  out.values = std::move(offsets);
  for (size_t i = 0; i < child_parts.size(); ++i) {
    if (child_parts[i].empty()) child_parts[i].push_back(parts[0]->children()[i]->slice(0, 0));
    out.children.push_back(concatenate(child_parts[i], budget, cancellation));
  }
}

void join_members(Parts parts, FlatParts& out, const BudgetPtr& budget, const Cancellation* cancellation) {
  for (size_t i = 0; i < out.type.fields().size(); ++i) {
    std::vector<ColumnPtr> members;
    for (const auto& part : parts) members.push_back(part->children()[i]->slice(part->offset(), part->length()));
    out.children.push_back(concatenate(members, budget, cancellation));
  }
}

/// Nested columns are flattened first, so that only their children can have other encodings.
void join_nested(Parts parts, FlatParts& out, const BudgetPtr& budget, const Cancellation* cancellation) {
  std::vector<ColumnPtr> flat;
  for (const auto& part : parts) flat.push_back(part->is_flat() ? part : flatten(part, budget));
  if (out.physical == PhysicalType::Struct) {
    join_members(flat, out, budget, cancellation);
  } else {
    join_lists(flat, out, budget, cancellation);
  }
}

void join_fixed_width(Parts parts, FlatParts& out, const BudgetPtr& budget, const Cancellation* cancellation) {
  const int64_t width = types::width_of(out.physical);
  auto values = Buffer::allocate(out.length * width, budget);
  int64_t position = 0;
  for (const auto& part : parts) {
    look_at(cancellation);
    write_values_of(out.physical, *part, values->mutable_data() + position * width);
    position += part->length();
  }
  out.values = std::move(values);
}

}  // namespace

ColumnPtr concatenate(Parts parts, const BudgetPtr& budget, const Cancellation* cancellation) {
  ACC_CHECK(!parts.empty());
  FlatParts out{parts[0]->type(), parts[0]->physical(), total_length(parts), 0, nullptr, nullptr, {}, {}};
  for (const auto& part : parts) {
    if (part->physical() == PhysicalType::Int128) out.physical = PhysicalType::Int128;
  }
  if (out.physical == PhysicalType::Null) return Column::flat(std::move(out));
  out.validity = join_validity(parts, out.length, budget, cancellation);
  if (out.type.is_nested()) {
    join_nested(parts, out, budget, cancellation);
  } else if (out.physical == PhysicalType::String) {
    join_strings(parts, out, budget, cancellation);
  } else {
    join_fixed_width(parts, out, budget, cancellation);
  }
  return Column::flat(std::move(out));
}

int64_t concatenated_bytes(const Column& column) {
  if (column.physical() == PhysicalType::Null) return 0;
  if (column.type().is_nested()) return column.memory_bytes();
  const int64_t views = column.length() * types::width_of(column.physical());
  return column.physical() == PhysicalType::String ? views + long_bytes_of(column) : views;
}

ColumnPtr copy_compact(const Column& column, const BudgetPtr& budget) {
  const ColumnPtr self = column.slice(0, column.length());
  return concatenate(std::span(&self, 1), budget);
}

}  // namespace accelerant::columns
