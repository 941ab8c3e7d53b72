#include "io/nested_schema.h"

#include "base/error.h"

#include <arrow/io/memory.h>
#include <gtest/gtest.h>
#include <parquet/api/schema.h>
#include <parquet/file_writer.h>

#include <string>
#include <vector>

namespace accelerant::io {

namespace {

using parquet::LogicalType;
using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::NodeVector;
using parquet::schema::PrimitiveNode;
using types::DataType;
using types::TypeId;

NodePtr int32(const std::string& name, Repetition::type repetition = Repetition::OPTIONAL) {
  return PrimitiveNode::Make(name, repetition, LogicalType::None(), parquet::Type::INT32);
}

NodePtr text(const std::string& name) {
  return PrimitiveNode::Make(name, Repetition::OPTIONAL, LogicalType::String(), parquet::Type::BYTE_ARRAY);
}

NodePtr list_of(const NodePtr& repeated) {
  return GroupNode::Make("c", Repetition::OPTIONAL, {repeated}, LogicalType::List());
}

/// Returns the footer of a file that has one column besides a flat one.
std::shared_ptr<parquet::FileMetaData> footer(const NodePtr& column) {
  const auto schema = GroupNode::Make("spark_schema", Repetition::REQUIRED, {int32("first"), column});
  auto out = arrow::io::BufferOutputStream::Create().ValueOrDie();
  const auto writer = parquet::ParquetFileWriter::Open(out, std::static_pointer_cast<GroupNode>(schema));
  writer->Close();
  return writer->metadata();
}

std::shared_ptr<const NestedColumn> find(const NodePtr& column, const DataType& wanted, const ScanSpec& spec = {}) {
  const auto metadata = footer(column);
  return find_nested_column(*metadata, *metadata->schema()->group_node()->field(1), {column->name(), wanted}, spec);
}

/// Returns the places of the leaves in the file; those that only tell which structs are null in brackets.
std::string leaves_of(const NestedColumn& column) {
  std::string text;
  for (const NestedLeaf& leaf : column.leaves) {
    const std::string place = std::to_string(leaf.column.leaf);
    text += (text.empty() ? "" : " ") + (leaf.is_read ? place : "(" + place + ")");
  }
  return text;
}

std::string refusal(const NodePtr& column, const DataType& wanted) {
  try {
    find(column, wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    return error.message();
  }
  return "none";
}

const DataType kInts = DataType::array(DataType(TypeId::Int), true);

TEST(NestedSchema, FindsListsOfThreeLevelsAndMaps) {
  const auto list = GroupNode::Make("list", Repetition::REPEATED, {int32("element")});
  const auto lists = find(list_of(list), kInts);
  EXPECT_EQ(leaves_of(*lists), "1");
  EXPECT_EQ(lists->root.definition, 1);
  EXPECT_EQ(lists->root.children[0].place_definition, 2);
  EXPECT_EQ(lists->root.children[0].definition, 3);
  EXPECT_EQ(lists->leaves[0].repetition, 1);
  const auto entries =
      GroupNode::Make("key_value", Repetition::REPEATED, {int32("key", Repetition::REQUIRED), text("value")});
  const auto map = GroupNode::Make("c", Repetition::OPTIONAL, {entries}, LogicalType::Map());
  EXPECT_EQ(leaves_of(*find(map, DataType::map(DataType(TypeId::Int), DataType(TypeId::String), true))), "1 2");
}

TEST(NestedSchema, FindsMembersByName) {
  const auto column = GroupNode::Make("c", Repetition::OPTIONAL, {int32("X"), text("other"), text("y")});
  const DataType wanted = DataType::structure({{"y", DataType(TypeId::String), true},
                                               {"lacking", DataType(TypeId::Long), true},
                                               {"x", DataType(TypeId::Int), true}});
  const auto found = find(column, wanted);
  EXPECT_EQ(leaves_of(*found), "3 1");
  EXPECT_TRUE(found->root.children[1].is_missing());
  ScanSpec spec;
  spec.case_sensitive = true;
  EXPECT_EQ(leaves_of(*find(column, wanted, spec)), "3");
}

TEST(NestedSchema, FindsALeafWhereAllMembersAreLacking) {
  const auto list = GroupNode::Make("list", Repetition::REPEATED, {int32("element")});
  const auto column = GroupNode::Make("c", Repetition::OPTIONAL, {list_of(list), text("other"), int32("x")});
  const DataType wanted = DataType::structure({{"z", kInts, true}});
  EXPECT_EQ(leaves_of(*find(column, wanted)), "(3)");
  ScanSpec spec;
  spec.keeps_structs_without_members = false;
  EXPECT_THROW(find(column, wanted, spec), Error);
}

/// Spark's names and shapes of elements in two levels.
TEST(NestedSchema, FindsListsOfTwoLevels) {
  const DataType one = DataType::structure({{"element", DataType(TypeId::Int), true}});
  const auto repeated = [](const std::string& name) {
    return GroupNode::Make(name, Repetition::REPEATED, {int32("element")});
  };
  EXPECT_EQ(find(list_of(repeated("array")), DataType::array(one, false))->root.children[0].definition, 2);
  EXPECT_EQ(find(list_of(repeated("c_tuple")), DataType::array(one, false))->root.children[0].definition, 2);
  EXPECT_EQ(find(list_of(repeated("bag")), kInts)->root.children[0].definition, 3);
  EXPECT_EQ(find(list_of(int32("element", Repetition::REPEATED)), kInts)->root.children[0].definition, 2);
  const auto bare = find(int32("c", Repetition::REPEATED), kInts);
  EXPECT_EQ(bare->root.definition, 0);
  EXPECT_EQ(bare->root.children[0].definition, 1);
}

TEST(NestedSchema, RefusesMoreLevelsThanAByteHolds) {
  NodePtr column = int32("c");
  DataType wanted(TypeId::Int);
  for (int depth = 0; depth < 126; ++depth) {
    wanted = DataType::structure({{"c", wanted, true}});
    column = GroupNode::Make("c", Repetition::OPTIONAL, {column});
  }
  EXPECT_EQ(leaves_of(*find(column, wanted)), "1");
  wanted = DataType::structure({{"c", wanted, true}});
  column = GroupNode::Make("c", Repetition::OPTIONAL, {column});
  EXPECT_NE(refusal(column, wanted).find("columns nested this deep"), std::string::npos);
}

TEST(NestedSchema, RefusesWhatSparkRefuses) {
  const auto list = GroupNode::Make("list", Repetition::REPEATED, {int32("element")});
  EXPECT_NE(refusal(list_of(list), DataType::array(DataType(TypeId::String), true)), "none");
  EXPECT_NE(refusal(list_of(list), DataType::map(DataType(TypeId::Int), DataType(TypeId::Int), true)), "none");
  const auto array = GroupNode::Make("array", Repetition::REPEATED, {int32("element")});
  EXPECT_NE(refusal(list_of(array), kInts).find("reading the field c.array as int"), std::string::npos);
  EXPECT_NE(refusal(list_of(int32("element")), kInts).find("reading the field c"), std::string::npos);
  const auto no_list = GroupNode::Make("c", Repetition::OPTIONAL, {list});
  EXPECT_NE(refusal(no_list, kInts).find("reading the field c"), std::string::npos);
  const auto entries = GroupNode::Make("key_value", Repetition::REPEATED, {int32("key"), int32("value")});
  const auto null_keys = GroupNode::Make("c", Repetition::OPTIONAL, {entries}, LogicalType::Map());
  EXPECT_NE(refusal(null_keys, DataType::map(DataType(TypeId::Int), DataType(TypeId::Int), true)), "none");
  const auto twice = GroupNode::Make("c", Repetition::OPTIONAL, {int32("a"), int32("A")});
  EXPECT_NE(refusal(twice, DataType::structure({{"a", DataType(TypeId::Int), true}})).find("several columns"),
            std::string::npos);
}

}  // namespace

}  // namespace accelerant::io
