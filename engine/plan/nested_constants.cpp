#include "plan/nested_constants.h"

#include "base/error.h"
#include "memory/plan_budget.h"
#include "plan/constants.h"
#include "plan/refuse_literal.h"

#include <limits>
#include <utility>
#include <vector>

namespace accelerant::plan {

using columns::ColumnPtr;
using types::DataType;
using types::PhysicalType;

namespace {

using Values = std::span<const FieldValue* const>;

/// Returns what a value that is not null holds: the elements of an array, the keys and values of a map in turn, the
/// members of a struct.
const std::vector<FieldValue>& items_of(const FieldValue& value, const DataType& type) {
  const auto* map = value.get_if<Map>();
  if (map && type.physical() == PhysicalType::Map) return map->items;
  const auto* list = value.get_if<List>();
  const bool is_whole = type.physical() != PhysicalType::Struct || (list && list->items.size() == type.fields().size());
  if (!list || type.physical() == PhysicalType::Map || !is_whole) refuse_literal(value, type);
  return list->items;
}

/// Returns each child's values: of a struct one for each of its rows, null where it is null.
std::vector<std::vector<const FieldValue*>> children_of(Values values, const DataType& type) {
  static const FieldValue kNull;
  const size_t num_children = type.fields().size();
  std::vector<std::vector<const FieldValue*>> children(num_children);
  for (const FieldValue* value : values) {
    if (value->is_null()) {
      if (type.physical() != PhysicalType::Struct) continue;
      for (auto& child : children) child.push_back(&kNull);
      continue;
    }
    const std::vector<FieldValue>& items = items_of(*value, type);
    for (size_t i = 0; i < items.size(); ++i) children[i % num_children].push_back(&items[i]);
  }
  return children;
}

/// Returns where each value's elements begin, and the end.
memory::BufferPtr offsets_of(Values values, const DataType& type) {
  const auto bytes = static_cast<int64_t>((values.size() + 1) * sizeof(int32_t));
  auto offsets = memory::Buffer::allocate(bytes, memory::plan_budget());
  size_t next = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    offsets->mutable_as<int32_t>()[i] = static_cast<int32_t>(next);
    if (!values[i]->is_null()) next += items_of(*values[i], type).size() / type.fields().size();
  }
  if (next > static_cast<size_t>(std::numeric_limits<int32_t>::max())) throw_unsupported("a literal that long");
  offsets->mutable_as<int32_t>()[values.size()] = static_cast<int32_t>(next);
  return offsets;
}

memory::BufferPtr validity_of(Values values) {
  const auto num_rows = static_cast<int64_t>(values.size());
  auto validity = memory::Buffer::allocate(bits::bytes_for(num_rows), memory::plan_budget());
  bits::fill(validity->mutable_data(), num_rows, true);
  for (int64_t row = 0; row < num_rows; ++row) {
    if (values[static_cast<size_t>(row)]->is_null()) bits::clear(validity->mutable_data(), row);
  }
  return validity;
}

}  // namespace

ColumnPtr make_nested_constants(Values values, const DataType& type) {
  columns::FlatParts parts;
  parts.type = type;
  parts.physical = type.physical();
  parts.length = static_cast<int64_t>(values.size());
  parts.validity = validity_of(values);
  if (parts.physical != PhysicalType::Struct) parts.values = offsets_of(values, type);
  const auto children = children_of(values, type);
  for (size_t i = 0; i < children.size(); ++i) {
    parts.children.push_back(make_constants(children[i], type.fields()[i].type));
  }
  return columns::Column::flat(std::move(parts));
}

}  // namespace accelerant::plan
