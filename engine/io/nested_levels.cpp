#include "io/nested_levels.h"

#include "base/error.h"
#include "columns/gather.h"

#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

namespace {

/// One entry of a level of the schema: a value of the level's column, or that there is none from some level on.
struct Entry {
  int32_t position;  ///< -1: none
  int16_t repetition;
  int16_t definition;
};

class Shredder {
 public:
  using Visit = std::function<void(const Column&, const LeafEntries&)>;

  explicit Shredder(const Visit& visit) : visit_(visit) {}

  /// @param depth repeated levels above
  void shred(const Column& column, bool nullable, std::vector<Entry> entries, int16_t depth) const {
    if (nullable) {
      define(column, entries);
    } else {
      for (const Entry& entry : entries) ACC_CHECK(entry.position < 0 || !column.is_null(entry.position));
    }
    switch (column.physical()) {
      case PhysicalType::Struct:
        return shred_members(column, entries, depth);
      case PhysicalType::Array:
      case PhysicalType::Map:
        return shred_elements(column, entries, depth);
      case PhysicalType::Null:
      case PhysicalType::Bool:
      case PhysicalType::Int8:
      case PhysicalType::Int16:
      case PhysicalType::Int32:
      case PhysicalType::Int64:
      case PhysicalType::Int128:
      case PhysicalType::Float32:
      case PhysicalType::Float64:
      case PhysicalType::String:
        return give(column, entries);
    }
  }

 private:
  /// Tells nulls from values.
  static void define(const Column& column, std::vector<Entry>& entries) {
    for (Entry& entry : entries) {
      if (entry.position < 0) continue;
      if (column.is_null(entry.position)) {
        entry.position = -1;
      } else {
        ++entry.definition;
      }
    }
  }

  void shred_members(const Column& column, std::vector<Entry>& entries, int16_t depth) const {
    for (Entry& entry : entries) entry.position += entry.position < 0 ? 0 : static_cast<int32_t>(column.offset());
    shred_children(column, entries, depth);
  }

  void shred_elements(const Column& column, const std::vector<Entry>& entries, int16_t depth) const {
    const auto* offsets = column.values<int32_t>();
    std::vector<Entry> elements;
    elements.reserve(entries.size());
    for (const Entry& entry : entries) {
      const int32_t first = entry.position < 0 ? 0 : offsets[entry.position];
      const int32_t end = entry.position < 0 ? 0 : offsets[entry.position + 1];
      if (first == end) elements.push_back({-1, entry.repetition, entry.definition});
      for (int32_t i = first; i < end; ++i) {
        const auto repetition = i == first ? entry.repetition : static_cast<int16_t>(depth + 1);
        elements.push_back({i, repetition, static_cast<int16_t>(entry.definition + 1)});
      }
    }
    shred_children(column, elements, static_cast<int16_t>(depth + 1));
  }

  void shred_children(const Column& column, const std::vector<Entry>& entries, int16_t depth) const {
    const auto& fields = column.type().fields();
    for (size_t i = 0; i < fields.size(); ++i) shred(*column.children()[i], fields[i].nullable, entries, depth);
  }

  void give(const Column& column, const std::vector<Entry>& entries) const {
    LeafEntries leaf;
    leaf.repetitions.reserve(entries.size());
    leaf.definitions.reserve(entries.size());
    for (const Entry& entry : entries) {
      leaf.repetitions.push_back(entry.repetition);
      leaf.definitions.push_back(entry.definition);
      if (entry.position >= 0) leaf.positions.push_back(entry.position);
    }
    visit_(column, leaf);
  }

  const Visit& visit_;
};

}  // namespace

ColumnPtr flatten_deeply(const ColumnPtr& column, const std::shared_ptr<memory::Budget>& budget) {
  const ColumnPtr flat = column->is_flat() ? column : columns::flatten(column, budget);
  if (!flat->type().is_nested()) return flat;
  columns::FlatParts parts = flat->parts();
  for (ColumnPtr& child : parts.children) child = flatten_deeply(child, budget);
  return Column::flat(std::move(parts));
}

void for_each_leaf(const Column& column, bool nullable, int64_t offset, int64_t length,
                   const std::function<void(const Column&, const LeafEntries&)>& visit) {
  std::vector<Entry> rows;
  rows.reserve(static_cast<size_t>(length));
  for (int64_t i = 0; i < length; ++i) rows.push_back({static_cast<int32_t>(offset + i), 0, 0});
  Shredder(visit).shred(column, nullable, std::move(rows), 0);
}

}  // namespace accelerant::io
