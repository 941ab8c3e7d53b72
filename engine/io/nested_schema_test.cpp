#include "io/nested_schema.h"

#include "base/error.h"

#include <arrow/io/memory.h>
#include <gtest/gtest.h>
#include <parquet/api/schema.h>
#include <parquet/arrow/schema.h>
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

NestedSource find(const NodePtr& column, const DataType& wanted, bool case_sensitive = false) {
  const auto metadata = footer(column);
  return NestedSchema(*metadata, case_sensitive).find(*metadata->schema()->group_node()->field(1), wanted);
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
  EXPECT_EQ(find(list_of(list), kInts).leaves, std::vector<int>{1});
  const auto entries =
      GroupNode::Make("key_value", Repetition::REPEATED, {int32("key", Repetition::REQUIRED), text("value")});
  const auto map = GroupNode::Make("c", Repetition::OPTIONAL, {entries}, LogicalType::Map());
  EXPECT_EQ(find(map, DataType::map(DataType(TypeId::Int), DataType(TypeId::String), true)).leaves,
            (std::vector<int>{1, 2}));
}

TEST(NestedSchema, FindsMembersByNameInTheFilesOrder) {
  const auto column = GroupNode::Make("c", Repetition::OPTIONAL, {int32("X"), text("other"), text("y")});
  const DataType wanted = DataType::structure({{"y", DataType(TypeId::String), true},
                                               {"lacking", DataType(TypeId::Long), true},
                                               {"x", DataType(TypeId::Int), true}});
  const NestedSource found = find(column, wanted);
  EXPECT_EQ(found.leaves, (std::vector<int>{1, 3}));
  EXPECT_EQ(found.stored_type.to_string(), "struct<X:int,y:string>");
  EXPECT_EQ(find(column, wanted, true).leaves, std::vector<int>{3});
}

TEST(NestedSchema, RefusesWhatArrowWouldReadOtherwise) {
  const auto two_levels = list_of(int32("element", Repetition::REPEATED));
  EXPECT_NE(refusal(two_levels, kInts).find("reading the field c"), std::string::npos);
  const auto named_array = list_of(GroupNode::Make("array", Repetition::REPEATED, {int32("element")}));
  EXPECT_NE(refusal(named_array, kInts).find("reading the field c"), std::string::npos);
  const auto tuple = list_of(GroupNode::Make("c_tuple", Repetition::REPEATED, {int32("element")}));
  EXPECT_NE(refusal(tuple, kInts).find("reading the field c"), std::string::npos);
  EXPECT_NE(refusal(int32("c", Repetition::REPEATED), kInts).find("reading the field c"), std::string::npos);
  const auto list = list_of(GroupNode::Make("list", Repetition::REPEATED, {int32("element")}));
  EXPECT_NE(refusal(list, DataType::array(DataType(TypeId::Long), true)).find("as array<bigint>"), std::string::npos);
  EXPECT_NE(refusal(list, DataType::array(DataType(TypeId::String), true)), "none");
  const auto lacking = GroupNode::Make("c", Repetition::OPTIONAL, {int32("a")});
  EXPECT_NE(refusal(lacking, DataType::structure({{"b", DataType(TypeId::Int), true}})), "none");
  const auto twice = GroupNode::Make("c", Repetition::OPTIONAL, {int32("a"), int32("A")});
  EXPECT_NE(refusal(twice, DataType::structure({{"a", DataType(TypeId::Int), true}})).find("several columns"),
            std::string::npos);
}

}  // namespace

}  // namespace accelerant::io
