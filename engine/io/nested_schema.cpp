#include "io/nested_schema.h"

#include "base/error.h"
#include "io/file_fields.h"
#include "io/parquet_calendar.h"
#include "io/parquet_schema.h"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace accelerant::io {

using parquet::schema::GroupNode;
using parquet::schema::Node;
using types::DataType;
using types::Field;

namespace {

/// Levels are held as bytes.
constexpr int kMaxLevel = 127;

[[noreturn]] void refuse(const Node& node, const DataType& wanted) {
  throw_unsupported("reading the field " + node.path()->ToDotString() + " as " + wanted.to_string());
}

const GroupNode& group_of(const Node& node, const DataType& wanted) {
  if (!node.is_group()) refuse(node, wanted);
  return static_cast<const GroupNode&>(node);
}

/// The levels around a node.
struct Levels {
  int repetition = 0;
  int place_definition = 0;
  int definition = 0;

  /// Returns those of a node below, which is not repeated or whose repetition is told already.
  Levels below(const Node& node) const { return {repetition, place_definition, definition + node.is_optional()}; }
  /// Returns those of the elements of a list.
  Levels element() const { return {repetition + 1, definition + 1, definition + 1}; }
};

/// Says whether the repeated field of a list is the element itself, as Spark's isElementType.
bool is_element(const Node& repeated, const Node& list) {
  return repeated.is_primitive() || static_cast<const GroupNode&>(repeated).field_count() > 1 ||
         repeated.name() == "array" || repeated.name() == list.name() + "_tuple";
}

/// Walks a column of a file's schema and the wanted type side by side.
class NestedFinder {
 public:
  NestedFinder(const ScanSpec& spec, const parquet::FileMetaData& metadata) : spec_(spec), metadata_(metadata) {}

  /// Finds a field of a struct or of the file.
  NestedField find(const Node& node, const DataType& wanted, Levels around) {
    if (!node.is_repeated()) return find_value(node, wanted, around.below(node));
    // A repeated field by itself is a list, never null, of elements that are never null.
    if (!wanted.is(types::TypeId::Array)) refuse(node, wanted);
    if (node.is_group() && !node.logical_type()->is_none()) refuse(node, wanted);
    return list_of(wanted, around,
                   [&](const DataType& element) { return find_value(node, element, around.element()); });
  }

  /// Finds the member of structs that names lead to; it is missing where the file lacks one of them.
  NestedField find_member(const Node& node, std::span<const std::string> names, const DataType& wanted, Levels around) {
    if (names.empty()) return find(node, wanted, around);
    const GroupNode& group = group_of(node, wanted);
    if (node.is_repeated() || !group.logical_type()->is_none()) refuse(node, wanted);
    const Node* found = FileFields(group, spec_.case_sensitive).find(names.front());
    if (!found) return NestedField{wanted};
    return find_member(*found, names.subspan(1), wanted, around.below(node));
  }

  std::vector<NestedLeaf>& leaves() { return leaves_; }

 private:
  /// Finds what a node stands for but for its repetition, which `levels` have.
  NestedField find_value(const Node& node, const DataType& wanted, Levels levels) {
    switch (wanted.physical()) {
      case types::PhysicalType::Array:
        return find_list(node, wanted, levels);
      case types::PhysicalType::Map:
        return find_map(node, wanted, levels);
      case types::PhysicalType::Struct:
        return find_members(node, wanted, levels);
      case types::PhysicalType::Null:
      case types::PhysicalType::Bool:
      case types::PhysicalType::Int8:
      case types::PhysicalType::Int16:
      case types::PhysicalType::Int32:
      case types::PhysicalType::Int64:
      case types::PhysicalType::Int128:
      case types::PhysicalType::Float32:
      case types::PhysicalType::Float64:
      case types::PhysicalType::String:
        break;
    }
    return find_leaf(node, wanted, levels);
  }

  template <class Find>
  NestedField list_of(const DataType& wanted, Levels levels, Find find_element) {
    NestedField field = start(wanted, levels);
    field.children.push_back(find_element(wanted.fields()[0].type));
    return field;
  }

  NestedField find_list(const Node& node, const DataType& wanted, Levels levels) {
    const GroupNode& list = group_of(node, wanted);
    if (!list.logical_type()->is_list() || list.field_count() != 1 || !list.field(0)->is_repeated())
      refuse(node, wanted);
    const Node& repeated = *list.field(0);
    return list_of(wanted, levels, [&](const DataType& element) {
      if (is_element(repeated, list)) return find_value(repeated, element, levels.element());
      const GroupNode& group = group_of(repeated, wanted);
      if (group.field_count() != 1 || group.field(0)->is_repeated()) refuse(node, wanted);
      return find_value(*group.field(0), element, levels.element().below(*group.field(0)));
    });
  }

  NestedField find_map(const Node& node, const DataType& wanted, Levels levels) {
    const GroupNode& map = group_of(node, wanted);
    if (!map.logical_type()->is_map() || map.field_count() != 1 || !map.field(0)->is_repeated()) refuse(node, wanted);
    const GroupNode& entries = group_of(*map.field(0), wanted);
    // The engine's maps have no null keys.
    if (entries.field_count() != 2 || !entries.field(0)->is_required() || entries.field(1)->is_repeated()) {
      refuse(node, wanted);
    }
    NestedField field = start(wanted, levels);
    for (int i = 0; i < 2; ++i) {
      const Node& part = *entries.field(i);
      field.children.push_back(
          find_value(part, wanted.fields()[static_cast<size_t>(i)].type, levels.element().below(part)));
    }
    return field;
  }

  NestedField find_members(const Node& node, const DataType& wanted, Levels levels) {
    const GroupNode& group = group_of(node, wanted);
    if (!group.logical_type()->is_none() || wanted.fields().empty()) refuse(node, wanted);
    const FileFields stored(group, spec_.case_sensitive);
    NestedField field = start(wanted, levels);
    for (const Field& member : wanted.fields()) {
      const Node* found = stored.find(member.name);
      field.children.push_back(found ? find(*found, member.type, levels) : NestedField{member.type});
    }
    if (leaves_.size() == field.leaf) add_witness(group, wanted, levels);
    return field;
  }

  NestedField find_leaf(const Node& node, const DataType& wanted, Levels levels) {
    if (!node.is_primitive()) refuse(node, wanted);
    const int leaf = metadata_.schema()->ColumnIndex(node);
    const auto& descriptor = *metadata_.schema()->Column(leaf);
    const auto kind = kind_of(descriptor, wanted);
    if (!kind) refuse(node, wanted);
    if (levels.repetition != descriptor.max_repetition_level()) refuse(node, wanted);
    if (levels.definition != descriptor.max_definition_level()) refuse(node, wanted);
    check_calendar(metadata_, leaf, *kind, wanted);
    NestedField field = start(wanted, levels);
    add_leaf(leaf, levels.place_definition, true);
    FileColumn& column = leaves_.back().column;
    column.type = wanted;
    column.kind = *kind;
    column.is_optional = descriptor.max_definition_level() > 0;
    column.stored_bytes =
        descriptor.physical_type() == parquet::Type::FIXED_LEN_BYTE_ARRAY ? descriptor.type_length() : 0;
    return field;
  }

  /// Returns a node without children, whose first leaf is the next one to be found.
  NestedField start(const DataType& wanted, Levels levels) const {
    return {wanted, levels.repetition, levels.place_definition, levels.definition, leaves_.size(), {}};
  }

  void add_leaf(int leaf, int place_definition, bool is_read) {
    const auto& descriptor = *metadata_.schema()->Column(leaf);
    if (descriptor.max_definition_level() > kMaxLevel) throw_unsupported("columns nested this deep");
    NestedLeaf& added = leaves_.emplace_back();
    added.column.name = descriptor.path()->ToDotString();
    added.column.leaf = leaf;
    added.repetition = descriptor.max_repetition_level();
    added.definition = descriptor.max_definition_level();
    added.place_definition = place_definition;
    added.is_read = is_read;
  }

  /// Adds the leaf that tells where a struct without wanted members is null: one in the fewest lists, of the fewest
  /// bytes.
  void add_witness(const GroupNode& group, const DataType& wanted, Levels levels) {
    int best = -1;
    for (int i = 0; i < metadata_.num_columns(); ++i) {
      if (is_below(*metadata_.schema()->Column(i)->schema_node(), group) && (best < 0 || cost_of(i) < cost_of(best))) {
        best = i;
      }
    }
    if (best < 0 || !spec_.keeps_structs_without_members) refuse(group, wanted);
    add_leaf(best, levels.place_definition, false);
  }

  static bool is_below(const Node& leaf, const Node& group) {
    const Node* node = &leaf;
    while (node && node != &group) node = node->parent();
    return node != nullptr;
  }

  std::tuple<int, int> cost_of(int leaf) const {
    const auto& descriptor = *metadata_.schema()->Column(leaf);
    return {descriptor.max_repetition_level(), parquet::GetTypeByteSize(descriptor.physical_type())};
  }

  const ScanSpec& spec_;
  const parquet::FileMetaData& metadata_;
  std::vector<NestedLeaf> leaves_;
};

}  // namespace

std::shared_ptr<const NestedColumn> find_nested_column(const parquet::FileMetaData& metadata, const Node& node,
                                                       const ScanColumn& wanted, const ScanSpec& spec) {
  NestedFinder finder(spec, metadata);
  auto column = std::make_shared<NestedColumn>();
  column->root = finder.find_member(node, wanted.members, wanted.type, {});
  column->leaves = std::move(finder.leaves());
  return column;
}

}  // namespace accelerant::io
