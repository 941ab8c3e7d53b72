#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "types/type_list.h"

#include <charconv>
#include <memory>
#include <optional>
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

DataType import_nested_type(const ArrowSchema& schema, TypeId id) {
  if (id == TypeId::Array) {
    check_children(schema, 1);
    const Field element = import_field(*schema.children[0]);
    return DataType::array(element.type, element.nullable);
  }
  if (id == TypeId::Map) {
    check_children(schema, 1);
    check_children(*schema.children[0], 2);
    const Field value = import_field(*schema.children[0]->children[1]);
    return DataType::map(import_type(*schema.children[0]->children[0]), value.type, value.nullable);
  }
  if (schema.n_children < 0) throw_unsupported(std::string("Arrow format ") + schema.format);
  std::vector<Field> fields;
  for (int64_t i = 0; i < schema.n_children; ++i) fields.push_back(import_field(*schema.children[i]));
  return DataType::structure(std::move(fields));
}

/// Returns the type that the list of types has a format for: the first one where several have the same.
std::optional<TypeId> id_of_format(std::string_view format) {
  static constexpr std::pair<std::string_view, TypeId> kListed[] = {
#define ACC_FORMAT_AND_TYPE(name, code, physical, sql, arrow) {arrow, TypeId::name},
      ACC_TYPES_OF_VALUES(ACC_FORMAT_AND_TYPE)
#undef ACC_FORMAT_AND_TYPE
  };
  for (const auto& [text, id] : kListed) {
    if (format == text) return id;
  }
  // The list has no parameters of decimals, and of the zones of timestamps only UTC.
  static constexpr std::pair<std::string_view, TypeId> kBeginnings[] = {{"d:", TypeId::Decimal},
                                                                        {"tsu:", TypeId::Timestamp}};
  for (const auto& [text, id] : kBeginnings) {
    if (format.starts_with(text)) return id;
  }
  return std::nullopt;
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
  const std::string_view format = schema.format ? schema.format : "";
  if (schema.dictionary) throw_unsupported("Arrow dictionary arrays");
  const std::optional<TypeId> id = id_of_format(format);
  if (!id) throw_unsupported("Arrow format " + std::string(format));
  if (DataType(*id).is_nested()) return import_nested_type(schema, *id);
  if (id == TypeId::Decimal) return import_decimal(format);
  if (id == TypeId::DayTimeInterval) return DataType::interval(*id, 0, 3);
  if (id == TypeId::YearMonthInterval) return DataType::interval(*id, 0, 1);
  return DataType(*id);
}

}  // namespace accelerant::columns
