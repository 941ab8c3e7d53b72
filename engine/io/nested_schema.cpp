#include "io/nested_schema.h"

#include "base/error.h"
#include "io/arrow_schema.h"
#include "io/file_fields.h"
#include "io/nested_reader.h"
#include "io/parquet_schema.h"

#include <arrow/type.h>
#include <parquet/arrow/schema.h>

#include <algorithm>
#include <string>

namespace accelerant::io {

using parquet::schema::GroupNode;
using parquet::schema::Node;
using types::DataType;
using types::Field;

namespace {

[[noreturn]] void refuse(const Node& node, const DataType& wanted) {
  throw_unsupported("reading the field " + node.path()->ToDotString() + " as " + wanted.to_string());
}

/// Walks a column of a file's schema and the wanted type side by side.
class NestedFinder {
 public:
  NestedFinder(bool case_sensitive, const parquet::FileMetaData& metadata)
      : case_sensitive_(case_sensitive), metadata_(metadata) {}

  /// Returns the type of what is read of a field.
  DataType find(const Node& node, const DataType& wanted) {
    switch (wanted.physical()) {
      case types::PhysicalType::Array:
        return find_list(node, wanted);
      case types::PhysicalType::Map:
        return find_map(node, wanted);
      case types::PhysicalType::Struct:
        return find_members(node, wanted);
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
    return find_leaf(node, wanted);
  }

  std::vector<int>& leaves() { return leaves_; }

 private:
  /// Returns the repeated group below a list or a map.
  static const GroupNode& repeated_group(const Node& node, const DataType& wanted, int num_fields) {
    if (!node.is_group() || node.is_repeated()) refuse(node, wanted);
    const auto& group = static_cast<const GroupNode&>(node);
    if (group.field_count() != 1 || !group.field(0)->is_group() || !group.field(0)->is_repeated()) refuse(node, wanted);
    const auto& repeated = static_cast<const GroupNode&>(*group.field(0));
    if (repeated.field_count() != num_fields) refuse(node, wanted);
    for (int i = 0; i < num_fields; ++i) {
      if (repeated.field(i)->is_repeated()) refuse(node, wanted);
    }
    return repeated;
  }

  DataType find_list(const Node& node, const DataType& wanted) {
    const GroupNode& repeated = repeated_group(node, wanted, 1);
    // Of lists of two levels these are names of the element itself.
    const bool is_element = repeated.name() == "array" || repeated.name() == node.name() + "_tuple";
    if (!node.logical_type()->is_list() || is_element) refuse(node, wanted);
    return DataType::array(find(*repeated.field(0), wanted.fields()[0].type), true);
  }

  DataType find_map(const Node& node, const DataType& wanted) {
    const GroupNode& repeated = repeated_group(node, wanted, 2);
    if (!node.logical_type()->is_map() || !repeated.field(0)->is_required()) refuse(node, wanted);
    const DataType key = find(*repeated.field(0), wanted.fields()[0].type);
    return DataType::map(key, find(*repeated.field(1), wanted.fields()[1].type), true);
  }

  DataType find_members(const Node& node, const DataType& wanted) {
    if (!node.is_group() || node.is_repeated() || !node.logical_type()->is_none()) refuse(node, wanted);
    const auto& group = static_cast<const GroupNode&>(node);
    const FileFields stored(group, case_sensitive_);
    std::vector<std::pair<const Node*, const DataType*>> found;
    for (const Field& member : wanted.fields()) {
      if (const Node* field = stored.find(member.name)) found.emplace_back(field, &member.type);
    }
    // Without a member nothing tells null structs from others.
    if (found.empty()) refuse(node, wanted);
    std::ranges::sort(found, {}, [&](const auto& member) { return group.FieldIndex(*member.first); });
    std::vector<Field> fields;
    for (const auto& [field, type] : found) fields.push_back({field->name(), find(*field, *type), true});
    return DataType::structure(std::move(fields));
  }

  DataType find_leaf(const Node& node, const DataType& wanted) {
    if (!node.is_primitive() || node.is_repeated()) refuse(node, wanted);
    const int leaf = metadata_.schema()->ColumnIndex(node);
    const auto kind = kind_of(*metadata_.schema()->Column(leaf), wanted);
    if (!kind) refuse(node, wanted);
    check_calendar(metadata_, *kind, wanted);
    leaves_.push_back(leaf);
    return wanted;
  }

  const bool case_sensitive_;
  const parquet::FileMetaData& metadata_;
  std::vector<int> leaves_;
};

bool is_text(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRING || type.id() == arrow::Type::BINARY;
}

/// Says whether Arrow's reader gives values in the layout of a type; members of structs may be more than are read.
bool gives(const arrow::DataType& stored, const arrow::DataType& wanted) {
  if (is_text(stored) && is_text(wanted)) return true;
  if (stored.id() != wanted.id()) return false;
  switch (wanted.id()) {
    case arrow::Type::TIMESTAMP:
      return static_cast<const arrow::TimestampType&>(stored).unit() ==
             static_cast<const arrow::TimestampType&>(wanted).unit();
    case arrow::Type::STRUCT:
      return std::ranges::all_of(wanted.fields(), [&](const auto& field) {
        const auto found = static_cast<const arrow::StructType&>(stored).GetFieldByName(field->name());
        return found && gives(*found->type(), *field->type());
      });
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return std::ranges::equal(stored.fields(), wanted.fields(),
                                [](const auto& a, const auto& b) { return gives(*a->type(), *b->type()); });
    default:
      return true;  // decimals are as wide as the widest
  }
}

}  // namespace

const arrow::DataType& NestedSchema::type_that_arrow_gives(const Node& node) {
  if (!given_) {
    const auto status = parquet::arrow::FromParquetSchema(metadata_.schema(), nested_reader_properties(),
                                                          metadata_.key_value_metadata(), &given_);
    if (!status.ok()) throw_unsupported("nested columns: " + status.ToString());
  }
  return *given_->field(metadata_.schema()->group_node()->FieldIndex(node))->type();
}

NestedSource NestedSchema::find(const Node& node, const DataType& wanted) {
  NestedFinder finder(case_sensitive_, metadata_);
  NestedSource source;
  source.stored_type = finder.find(node, wanted);
  source.leaves = std::move(finder.leaves());
  std::ranges::sort(source.leaves);
  const auto expected = arrow_schema(DataType::structure({{"column", source.stored_type, true}}))->field(0)->type();
  const arrow::DataType& given = type_that_arrow_gives(node);
  if (!gives(given, *expected)) throw_unsupported("reading " + given.ToString() + " as " + wanted.to_string());
  return source;
}

}  // namespace accelerant::io
