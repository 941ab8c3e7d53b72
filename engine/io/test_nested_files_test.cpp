#include "io/test_nested_files.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/nested_levels.h"

#include <utility>

namespace accelerant::io::test {

using columns::Column;
using columns::ColumnPtr;
using columns::test::unlimited;
using parquet::LogicalType;
using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::PrimitiveNode;
using types::DataType;
using types::Field;
using types::PhysicalType;

namespace {

Repetition::type repetition_of(bool nullable) { return nullable ? Repetition::OPTIONAL : Repetition::REQUIRED; }

/// Says how many elements the list of a row has; -1: it is null.
int64_t length_of(int64_t row) {
  if (row % 7 == 3) return -1;
  if (row == 17) return 150;
  return row % 5 == 0 ? 0 : row % 4;
}

/// Says which row of the element's column an element is.
int64_t element_row(int64_t row, int64_t place) { return row * 3 + place; }

bool is_null(const TestColumn& column, int64_t row) { return column.expected(row) == "null"; }

void write_list(const TestColumn& element, parquet::ColumnWriter& writer, int64_t first, int64_t n) {
  TestLevels levels;
  std::vector<int64_t> rows;
  const auto add = [&](bool begins, int definition) {
    levels.repetitions.push_back(begins ? 0 : 1);
    levels.definitions.push_back(static_cast<int16_t>(definition));
  };
  for (int64_t row = first; row < first + n; ++row) {
    const int64_t length = length_of(row);
    if (length < 1) add(true, length < 0 ? 0 : 1);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t value = element_row(row, i);
      const bool is_value = !is_null(element, value);
      add(i == 0, 2 + (element.node->is_optional() && is_value));
      if (is_value) rows.push_back(value);
    }
  }
  element.write_entries(writer, levels, rows);
}

std::string show_list(const TestColumn& element, int64_t row) {
  const int64_t length = length_of(row);
  if (length < 0) return "null";
  std::string text;
  for (int64_t i = 0; i < length; ++i) text += (i > 0 ? "," : "") + element.expected(element_row(row, i));
  return "[" + text + "]";
}

NodePtr list_node(const std::string& name, const NodePtr& element, bool nullable) {
  const auto list = GroupNode::Make("list", Repetition::REPEATED, {element});
  return GroupNode::Make(name, repetition_of(nullable), {list}, LogicalType::List());
}

void write_leaf(parquet::ColumnWriter& writer, const Column& leaf, const LeafEntries& entries) {
  const auto num_entries = static_cast<int64_t>(entries.definitions.size());
  const int16_t* definitions = entries.definitions.data();
  const int16_t* repetitions = entries.repetitions.data();
  if (leaf.physical() == PhysicalType::Int64) {
    std::vector<int64_t> values;
    for (const int32_t place : entries.positions) values.push_back(leaf.values<int64_t>()[place]);
    values.push_back(0);
    static_cast<parquet::Int64Writer&>(writer).WriteBatch(num_entries, definitions, repetitions, values.data());
    return;
  }
  ACC_CHECK(leaf.physical() == PhysicalType::String);
  std::vector<parquet::ByteArray> values;
  for (const int32_t place : entries.positions) {
    const types::StringRef text = leaf.string_at(place);
    values.emplace_back(static_cast<uint32_t>(text.length), reinterpret_cast<const uint8_t*>(text.data));
  }
  values.emplace_back();
  static_cast<parquet::ByteArrayWriter&>(writer).WriteBatch(num_entries, definitions, repetitions, values.data());
}

}  // namespace

TestColumn list_column(const TestColumn& element) {
  const auto& leaf = static_cast<const PrimitiveNode&>(*element.node);
  const auto node =
      PrimitiveNode::Make("element", leaf.repetition(), leaf.logical_type(), leaf.physical_type(), leaf.type_length());
  TestColumn column;
  column.node = list_node("list_of_" + leaf.name(), node, true);
  column.type = DataType::array(element.type, true);
  column.write_leaves = [element](parquet::RowGroupWriter& group, int64_t first, int64_t n) {
    write_list(element, *group.NextColumn(), first, n);
  };
  column.expected = [element](int64_t row) { return show_list(element, row); };
  return column;
}

TestColumn nested_column(const ColumnPtr& values, bool nullable, const NodePtr& node) {
  TestColumn column;
  column.node = node;
  column.type = values->type();
  column.write_leaves = [values, nullable](parquet::RowGroupWriter& group, int64_t first, int64_t n) {
    for_each_leaf(*values, nullable, first, n, [&](const Column& leaf, const LeafEntries& entries) {
      write_leaf(*group.NextColumn(), leaf, entries);
    });
  };
  column.expected = [values](int64_t row) { return columns::test::show(*values, row); };
  return column;
}

TestColumn nested_column(const std::string& name, const ColumnPtr& values, bool nullable) {
  return nested_column(values, nullable, node_of(name, values->type(), nullable));
}

NodePtr node_of(const std::string& name, const DataType& type, bool nullable) {
  const auto& fields = type.fields();
  if (type.is(types::TypeId::Array)) {
    return list_node(name, node_of("element", fields[0].type, fields[0].nullable), nullable);
  }
  parquet::schema::NodeVector members;
  if (type.is(types::TypeId::Struct)) {
    for (const Field& field : fields) members.push_back(node_of(field.name, field.type, field.nullable));
    return GroupNode::Make(name, repetition_of(nullable), members);
  }
  if (type.is(types::TypeId::Map)) {
    members = {node_of("key", fields[0].type, false), node_of("value", fields[1].type, fields[1].nullable)};
    const auto entries = GroupNode::Make("key_value", Repetition::REPEATED, members);
    return GroupNode::Make(name, repetition_of(nullable), {entries}, LogicalType::Map());
  }
  const bool is_text = type.physical() == PhysicalType::String;
  return PrimitiveNode::Make(name, repetition_of(nullable), is_text ? LogicalType::String() : LogicalType::None(),
                             is_text ? parquet::Type::BYTE_ARRAY : parquet::Type::INT64);
}

namespace {

/// Makes a bitmap in which about every fourth row is null; nullptr where none may be.
memory::BufferPtr random_validity(bool nullable, int64_t num_rows, std::mt19937& random) {
  if (!nullable) return nullptr;
  auto validity = memory::Buffer::allocate_zeroed(memory::Buffer::kAlignmentBytes + num_rows, unlimited());
  for (int64_t i = 0; i < num_rows; ++i) bits::assign(validity->mutable_data(), i, random() % 4 > 0);
  return validity;
}

/// Makes the offsets of lists; those that are null are empty.
memory::BufferPtr random_offsets(const memory::BufferPtr& validity, int64_t num_rows, std::mt19937& random) {
  auto offsets = memory::Buffer::allocate((num_rows + 1) * 4, unlimited());
  auto* to = offsets->mutable_as<int32_t>();
  to[0] = 0;
  for (int64_t i = 0; i < num_rows; ++i) {
    const bool is_null = validity && !bits::get(validity->data(), i);
    to[i + 1] = to[i] + (is_null ? 0 : static_cast<int32_t>(random() % 6));
  }
  return offsets;
}

/// Makes few different values, or many.
ColumnPtr random_leaf(const DataType& type, bool nullable, int64_t num_rows, std::mt19937& random) {
  std::vector<std::optional<int64_t>> numbers;
  std::vector<std::optional<std::string>> texts;
  for (int64_t i = 0; i < num_rows; ++i) {
    const bool is_null = nullable && random() % 4 == 0;
    const auto number = static_cast<int64_t>(random() % 40);
    numbers.push_back(is_null ? std::nullopt : std::optional(number));
    texts.push_back(is_null ? std::nullopt : std::optional("text " + std::string(static_cast<size_t>(number), 't')));
  }
  return type.physical() == PhysicalType::String ? columns::test::make_strings(texts, type)
                                                 : columns::test::make_longs(numbers);
}

}  // namespace

ColumnPtr random_column(const DataType& type, bool nullable, int64_t num_rows, std::mt19937& random) {
  if (!type.is_nested()) return random_leaf(type, nullable, num_rows, random);
  columns::FlatParts parts{type, type.physical(), num_rows, 0, nullptr, nullptr, {}, {}};
  parts.validity = random_validity(nullable, num_rows, random);
  int64_t num_children = num_rows;
  if (parts.physical != PhysicalType::Struct) {
    parts.values = random_offsets(parts.validity, num_rows, random);
    num_children = parts.values->as<int32_t>()[num_rows];
  }
  for (const Field& field : type.fields()) {
    parts.children.push_back(random_column(field.type, field.nullable, num_children, random));
  }
  return Column::flat(std::move(parts));
}

}  // namespace accelerant::io::test
