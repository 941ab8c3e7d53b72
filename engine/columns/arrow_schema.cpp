#include "base/error.h"
#include "columns/arrow_c_data.h"

#include <charconv>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::columns {

using types::DataType;
using types::Field;
using types::TypeId;

namespace {

/// What an exported schema owns. A map's one child is the struct of its entries.
struct SchemaOwner {
  std::string format;
  std::string name;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> child_pointers;
};

void release_schema(ArrowSchema* schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
  }
  delete static_cast<SchemaOwner*>(schema->private_data);
  schema->release = nullptr;
}

std::string format_of(const DataType& type) {
  std::string format = type.arrow_format();
  if (format.empty()) throw_unsupported("type " + type.to_string() + " has no Arrow form here");
  return format;
}

/// Returns the children that Arrow wants: a map has one, the struct of its entries.
std::vector<Field> arrow_children(const DataType& type) {
  if (!type.is(TypeId::Map)) return type.fields();
  return {{"entries", DataType::structure(type.fields()), false}};
}

void add_child(const Field& field, SchemaOwner& owner, ArrowSchema* parent) {
  auto child = std::make_unique<ArrowSchema>();
  owner.child_pointers.reserve(owner.child_pointers.size() + 1);
  owner.children.reserve(owner.children.size() + 1);
  export_schema(field.type, field.name, field.nullable, child.get());
  owner.child_pointers.push_back(child.get());
  owner.children.push_back(std::move(child));
  parent->children = owner.child_pointers.data();
  parent->n_children = static_cast<int64_t>(owner.child_pointers.size());
}

DataType import_decimal(std::string_view format) {
  int precision = 0;
  int scale = 0;
  const char* end = format.data() + format.size();
  const auto first = std::from_chars(format.data() + 2, end, precision);
  const bool has_scale = first.ec == std::errc() && first.ptr < end && *first.ptr == ',';
  if (has_scale) {
    const auto second = std::from_chars(first.ptr + 1, end, scale);
    if (second.ec == std::errc() && second.ptr == end && precision >= 1 && precision <= types::kMaxDecimalPrecision &&
        scale >= 0 && scale <= precision) {
      return DataType::decimal(precision, scale);
    }
  }
  throw_unsupported("Arrow format " + std::string(format));
}

Field import_field(const ArrowSchema& schema) {
  return {schema.name ? schema.name : "", import_type(schema), (schema.flags & ARROW_FLAG_NULLABLE) != 0};
}

void check_children(const ArrowSchema& schema, int64_t count) {
  if (schema.n_children != count || (count > 0 && !schema.children)) {
    throw_unsupported(std::string("Arrow format ") + schema.format + " with " + std::to_string(schema.n_children) +
                      " children");
  }
}

DataType import_nested_type(const ArrowSchema& schema, std::string_view format) {
  if (format == "+l") {
    check_children(schema, 1);
    const Field element = import_field(*schema.children[0]);
    return DataType::array(element.type, element.nullable);
  }
  if (format == "+m") {
    check_children(schema, 1);
    check_children(*schema.children[0], 2);
    const Field value = import_field(*schema.children[0]->children[1]);
    return DataType::map(import_type(*schema.children[0]->children[0]), value.type, value.nullable);
  }
  if (format != "+s" || schema.n_children < 0) throw_unsupported("Arrow format " + std::string(format));
  std::vector<Field> fields;
  for (int64_t i = 0; i < schema.n_children; ++i) fields.push_back(import_field(*schema.children[i]));
  return DataType::structure(std::move(fields));
}

}  // namespace

void export_schema(const DataType& type, const std::string& name, bool nullable, ArrowSchema* out) {
  auto owner = std::make_unique<SchemaOwner>();
  owner->format = format_of(type);
  owner->name = name;
  *out = {};
  out->format = owner->format.c_str();
  out->name = owner->name.c_str();
  out->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
  out->private_data = owner.get();
  out->release = release_schema;
  try {
    for (const Field& field : arrow_children(type)) add_child(field, *owner, out);
  } catch (...) {
    owner.release();
    out->release(out);
    throw;
  }
  owner.release();
}

DataType import_type(const ArrowSchema& schema) {
  static constexpr std::pair<std::string_view, TypeId> kSimple[] = {
      {"n", TypeId::Null},   {"b", TypeId::Boolean}, {"c", TypeId::Byte},   {"s", TypeId::Short},
      {"i", TypeId::Int},    {"l", TypeId::Long},    {"f", TypeId::Float},  {"g", TypeId::Double},
      {"u", TypeId::String}, {"z", TypeId::Binary},  {"tdD", TypeId::Date}, {"tsu:", TypeId::TimestampNtz}};
  const std::string_view format = schema.format ? schema.format : "";
  if (schema.dictionary) throw_unsupported("Arrow dictionary arrays");
  for (const auto& [text, id] : kSimple) {
    if (format == text) return DataType(id);
  }
  if (format.starts_with("tsu:")) return DataType(TypeId::Timestamp);
  if (format == "tDu") return DataType::interval(TypeId::DayTimeInterval, 0, 3);
  if (format == "tiM") return DataType::interval(TypeId::YearMonthInterval, 0, 1);
  if (format.starts_with("d:")) return import_decimal(format);
  return import_nested_type(schema, format);
}

}  // namespace accelerant::columns
