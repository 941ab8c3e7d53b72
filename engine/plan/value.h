#pragma once

#include "types/data_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace accelerant::plan {

struct FieldValue;
struct NamedValue;

/// A reference to another node of the message, always one with a lower index.
struct NodeReference {
  int index;
};

/// Text from the message's string table, which must outlive it.
struct Text {
  std::string_view text;
};

/// A list; Spark's Option is a list of none or one.
struct List {
  std::vector<FieldValue> items;
};

/// A map, as key, value, key, value.
struct Map {
  std::vector<FieldValue> items;
};

/// A case class, case object, tuple or enumeration value that is no tree node.
struct Product {
  std::string_view class_name;
  std::vector<NamedValue> fields;
};

/// Bytes as they came: UTF-8 of a string literal, or binary.
struct Bytes {
  std::string_view bytes;
};

/// A decimal literal; `unscaled` is big-endian two's complement.
struct Decimal {
  int precision;
  int scale;
  std::string_view unscaled;
};

/// An object that the writer did not know; all that can be done is to refuse it by name.
struct Opaque {
  std::string_view class_name;
};

/// A field's value. std::monostate is null.
struct FieldValue {
  std::variant<std::monostate, bool, int64_t, double, Text, List, Map, NodeReference, Product, types::DataType, Bytes,
               Decimal, Opaque>
      value;

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
  bool is_null() const { return std::holds_alternative<std::monostate>(value); }
};

/// A field: its name, which lives in the message's string table, and its value.
struct NamedValue {
  std::string_view name;
  FieldValue value;
};

/// Returns what kind of value it is, for messages: "a list", "an object of class X".
std::string kind_of(const FieldValue& value);

/// Calls `visit(index)` for every node that the value refers to, in the order they are written.
template <class Visit>
void for_each_node(const FieldValue& value, Visit&& visit) {
  if (const auto* reference = value.get_if<NodeReference>()) {
    visit(reference->index);
  } else if (const auto* list = value.get_if<List>()) {
    for (const FieldValue& item : list->items) for_each_node(item, visit);
  } else if (const auto* map = value.get_if<Map>()) {
    for (const FieldValue& item : map->items) for_each_node(item, visit);
  } else if (const auto* product = value.get_if<Product>()) {
    for (const NamedValue& field : product->fields) for_each_node(field.value, visit);
  }
}

}  // namespace accelerant::plan
