// Each node of the column is put together from the levels of its first leaf. A list's offsets, and which places of a
// list or a struct are null, take one loop over these levels without branches: every entry writes to the current place,
// and moves on to the next place or element where it begins one. Where a struct or a map has several leaves, the levels
// of the others are compared with the first one's as far as they tell of what the leaves share, so that a node's first
// leaf speaks for all: after that, the places of parents and children agree by construction.

#include "io/nested_assembly.h"

#include "base/bits.h"
#include "base/error.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using memory::BufferPtr;
using types::PhysicalType;

namespace {

/// What two leaves share: the entries that repeat no more than `repetition`, their definition levels up to
/// `definition`.
struct Shared {
  int repetition;
  int definition;
};

/// Says whether all leaves' entries are shared and the levels equal.
bool are_equal(const LeafRows& a, const LeafRows& b, int definition) {
  const auto n = static_cast<size_t>(a.num_entries);
  if (a.num_entries != b.num_entries || std::memcmp(a.repetitions, b.repetitions, n) != 0) return false;
  const auto most = static_cast<uint8_t>(definition);
  uint8_t differs = 0;
  for (size_t i = 0; i < n; ++i) {
    differs |= static_cast<uint8_t>(std::min(a.definitions[i], most) ^ std::min(b.definitions[i], most));
  }
  return differs == 0;
}

/// Steps through the shared entries of a leaf.
class SharedEntries {
 public:
  SharedEntries(const LeafRows& leaf, Shared shared) : leaf_(leaf), shared_(shared) { pass_others(); }

  bool at_end() const { return place_ == leaf_.num_entries; }
  int repetition() const { return leaf_.repetitions[place_]; }
  int definition() const { return std::min<int>(leaf_.definitions[place_], shared_.definition); }
  void next() {
    ++place_;
    pass_others();
  }

 private:
  void pass_others() {
    while (!at_end() && leaf_.repetitions[place_] > shared_.repetition) ++place_;
  }

  const LeafRows& leaf_;
  const Shared shared_;
  int64_t place_ = 0;
};

bool share_entries(const LeafRows& a, const LeafRows& b, Shared shared) {
  SharedEntries left(a, shared);
  SharedEntries right(b, shared);
  for (; !left.at_end() && !right.at_end(); left.next(), right.next()) {
    if (left.repetition() != right.repetition() || left.definition() != right.definition()) return false;
  }
  return left.at_end() && right.at_end();
}

/// Which entries of a leaf begin a place of a node.
struct Places {
  int repetition;
  int definition;

  bool has(int entry_repetition, int entry_definition) const {
    return (entry_repetition <= repetition) & (entry_definition >= definition);
  }
};

Places places_of(const NestedField& field) { return {field.repetition, field.place_definition}; }

// What these two write may be any object's to the compiler, so that they read nothing but values of their own.

/// Writes one byte a place, 1 where it is defined as far as `definition`, to `to`, which has room for one more.
void write_valid_bytes(const LeafRows& leaf, Places places, int definition, uint8_t* to) {
  const uint8_t* const repetitions = leaf.repetitions;
  const uint8_t* const definitions = leaf.definitions;
  for (int64_t i = 0, n = leaf.num_entries; i < n; ++i) {
    const int entry_definition = definitions[i];
    *to = entry_definition >= definition;
    to += places.has(repetitions[i], entry_definition);
  }
}

/// Writes where the elements of each place begin, and behind them how many there are, and returns that.
int32_t write_offsets(const LeafRows& leaf, Places places, Places elements, int32_t* to) {
  const uint8_t* const repetitions = leaf.repetitions;
  const uint8_t* const definitions = leaf.definitions;
  int32_t num_elements = 0;
  for (int64_t i = 0, n = leaf.num_entries; i < n; ++i) {
    const int repetition = repetitions[i];
    const int definition = definitions[i];
    *to = num_elements;
    to += places.has(repetition, definition);
    num_elements += elements.has(repetition, definition);
  }
  *to = num_elements;
  return num_elements;
}

class Assembler {
 public:
  Assembler(const NestedColumn& column, std::span<const LeafRows> leaves, const std::shared_ptr<memory::Budget>& budget)
      : column_(column), leaves_(leaves), budget_(budget) {}

  ColumnPtr assemble(const NestedField& field, int64_t num_places) const {
    if (field.is_missing()) return Column::nulls(field.type, num_places, budget_);
    if (field.children.empty()) return leaves_[field.leaf].values;
    columns::FlatParts parts{field.type, field.type.physical(), num_places, 0, nullptr, nullptr, {}, {}};
    parts.validity = find_valid(field, num_places);
    int64_t num_child_places = num_places;
    if (parts.physical != PhysicalType::Struct) parts.values = find_lists(field, num_places, num_child_places);
    check_children(field);
    for (const NestedField& child : field.children) parts.children.push_back(assemble(child, num_child_places));
    return Column::flat(std::move(parts));
  }

 private:
  /// Returns which places are not null; nullptr where all are.
  BufferPtr find_valid(const NestedField& field, int64_t num_places) const {
    if (field.definition == field.place_definition) return nullptr;
    const LeafRows& leaf = leaves_[field.leaf];
    if (count_at_least(leaf.definitions, leaf.num_entries, field.definition) == leaf.num_entries) return nullptr;
    const auto valid = Buffer::allocate(num_places + 1, budget_);
    write_valid_bytes(leaf, places_of(field), field.definition, valid->mutable_data());
    if (count_equal(valid->data(), num_places, 1) == num_places) return nullptr;
    auto validity = Buffer::allocate_zeroed(bits::bytes_for(num_places), budget_);
    bits::pack(valid->data(), num_places, validity->mutable_data());
    return validity;
  }

  /// Returns the offsets of a list's places and sets how many elements there are.
  BufferPtr find_lists(const NestedField& field, int64_t num_places, int64_t& num_elements) const {
    auto offsets = Buffer::allocate((num_places + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
    num_elements = write_offsets(leaves_[field.leaf], places_of(field), places_of(field.children[0]),
                                 offsets->mutable_as<int32_t>());
    return offsets;
  }

  /// Compares what the children's first leaves share.
  void check_children(const NestedField& field) const {
    const bool is_struct = field.type.physical() == PhysicalType::Struct;
    const NestedField& element = field.children[0];
    const Shared shared =
        is_struct ? Shared{field.repetition, field.definition} : Shared{element.repetition, element.place_definition};
    for (const NestedField& child : field.children) {
      if (!child.is_missing() && child.leaf != field.leaf) check_shared(field.leaf, child.leaf, shared);
    }
  }

  void check_shared(size_t a, size_t b, Shared shared) const {
    const bool share_all =
        column_.leaves[a].repetition == shared.repetition && column_.leaves[b].repetition == shared.repetition;
    if (share_all ? are_equal(leaves_[a], leaves_[b], shared.definition)
                  : share_entries(leaves_[a], leaves_[b], shared)) {
      return;
    }
    throw Error(ErrorKind::Resource, column_.leaves[a].column.name + " and " + column_.leaves[b].column.name +
                                         " tell of different lists or structs in the same rows");
  }

  const NestedColumn& column_;
  const std::span<const LeafRows> leaves_;
  const std::shared_ptr<memory::Budget>& budget_;
};

}  // namespace

ColumnPtr assemble(const NestedColumn& column, std::span<const LeafRows> leaves, int64_t num_rows,
                   const std::shared_ptr<memory::Budget>& budget) {
  return Assembler(column, leaves, budget).assemble(column.root, num_rows);
}

}  // namespace accelerant::io
