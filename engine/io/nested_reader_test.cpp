#include "io/nested_reader.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/scan.h"
#include "io/test_nested_files.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;
using parquet::Encoding;
using parquet::LogicalType;
using parquet::ParquetDataPageVersion;
using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using test::FileOptions;
using test::TemporaryFile;
using test::TestColumn;
using types::DataType;
using types::TypeId;

const DataType kLong(TypeId::Long);
const DataType kText(TypeId::String);

FileOptions of_rows(int64_t num_rows) {
  FileOptions options;
  options.num_rows = num_rows;
  return options;
}

/// Scans a file of `columns` with several batch sizes and compares every row that `is_wanted`.
void expect_rows(const std::vector<TestColumn>& columns, const FileOptions& options,
                 const std::shared_ptr<const ScanSpec>& spec, const std::function<bool(int64_t)>& is_wanted) {
  const TemporaryFile file(test::write_parquet(columns, options));
  std::vector<std::string> expected;
  for (int64_t row = 0; row < options.num_rows; ++row) {
    if (is_wanted(row)) expected.push_back(test::expected_row(columns, row));
  }
  for (const int64_t batch_rows : {3, 1, 64, 0}) {
    ASSERT_EQ(test::run_scan(spec, {{file.split()}}, batch_rows).rows, expected) << batch_rows;
  }
}

void expect_all_rows(const std::vector<TestColumn>& columns, FileOptions options) {
  for (const auto version : {ParquetDataPageVersion::V1, ParquetDataPageVersion::V2}) {
    options.page_version = version;
    expect_rows(columns, options, test::spec_of(columns), [](int64_t) { return true; });
  }
}

TEST(NestedReader, ReadsListsOfEveryType) {
  std::vector<TestColumn> columns;
  for (const TestColumn& element : test::all_columns()) columns.push_back(test::list_column(element));
  FileOptions options;
  expect_all_rows(columns, options);
  options.dictionary_bytes = 40;
  options.group_rows = 37;
  expect_all_rows(columns, options);
  options.dictionary = false;
  options.codec = parquet::Compression::ZSTD;
  expect_all_rows(columns, options);
  options.page_index = true;
  options.page_bytes = 40;
  expect_all_rows(columns, options);
}

TEST(NestedReader, ReadsListsOfEveryEncoding) {
  for (const auto encoding : {Encoding::DELTA_BINARY_PACKED, Encoding::DELTA_LENGTH_BYTE_ARRAY,
                              Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT, Encoding::RLE}) {
    std::vector<TestColumn> columns;
    for (const TestColumn& element : test::columns_for(encoding)) columns.push_back(test::list_column(element));
    FileOptions options;
    options.dictionary = false;
    options.encoding = encoding;
    expect_all_rows(columns, options);
  }
}

/// Types with nulls at each level, and without any.
std::vector<DataType> some_types() {
  std::vector<DataType> types;
  for (const bool nullable : {true, false}) {
    const DataType texts = DataType::array(kText, nullable);
    const DataType pair = DataType::structure({{"a", kLong, nullable}, {"b", texts, nullable}});
    const DataType numbers = DataType::map(kText, DataType::array(kLong, nullable), nullable);
    types.push_back(texts);
    types.push_back(pair);
    types.push_back(DataType::structure({{"x", kLong, nullable}, {"y", kText, nullable}, {"z", pair, nullable}}));
    types.push_back(numbers);
    types.push_back(DataType::array(pair, nullable));
    types.push_back(DataType::array(DataType::array(texts, nullable), nullable));
    types.push_back(DataType::structure({{"lists", DataType::array(pair, nullable), nullable}, {"n", kLong, true}}));
    types.push_back(DataType::map(kLong, DataType::array(numbers, nullable), nullable));
    types.push_back(DataType::array(DataType::structure({{"s", pair, nullable}, {"m", numbers, nullable}}), nullable));
  }
  return types;
}

std::vector<TestColumn> random_columns(int64_t num_rows, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<TestColumn> columns;
  for (const DataType& type : some_types()) {
    for (const bool nullable : {true, false}) {
      const auto values = test::random_column(type, nullable, num_rows, random);
      columns.push_back(test::nested_column("c" + std::to_string(columns.size()), values, nullable));
    }
  }
  return columns;
}

TEST(NestedReader, ReadsEveryShape) {
  FileOptions options;
  options.num_rows = 150;
  options.page_bytes = 60;
  const auto columns = random_columns(options.num_rows, 1);
  expect_all_rows(columns, options);
  options.dictionary = false;
  options.group_rows = 40;
  expect_all_rows(columns, options);
  options.page_index = true;
  options.page_bytes = 1 << 20;
  expect_all_rows(columns, options);
}

/// Nested columns beside a number, the row's, by which pages are left out.
TEST(NestedReader, PassesOverPagesAndRows) {
  FileOptions options;
  options.num_rows = 300;
  options.page_bytes = 60;
  options.dictionary = false;
  std::vector<TestColumn> columns = {test::long_column("id", [](int64_t row) { return row; })};
  for (TestColumn& column : random_columns(options.num_rows, 2)) columns.push_back(std::move(column));
  for (const bool page_index : {true, false}) {
    options.page_index = page_index;
    for (const auto version : {ParquetDataPageVersion::V1, ParquetDataPageVersion::V2}) {
      options.page_version = version;
      const auto spec = test::spec_of(columns);
      spec->filters = {test::compare(0, "GreaterThan", 97), test::compare(0, "LessThan", 251)};
      expect_rows(columns, options, spec, [](int64_t row) { return row > 97 && row < 251; });
      spec->filters = {test::compare(0, "EqualTo", 299)};
      expect_rows(columns, options, spec, [](int64_t row) { return row == 299; });
    }
  }
}

TEST(NestedReader, ReadsFewRowsOfABatch) {
  FileOptions options;
  options.num_rows = 300;
  std::vector<TestColumn> columns = {test::long_column("n", [](int64_t row) { return row * 7 % 50; })};
  for (TestColumn& column : random_columns(options.num_rows, 3)) columns.push_back(std::move(column));
  const auto spec = test::spec_of(columns);
  spec->filters = {test::compare(0, "EqualTo", 21)};
  for (const auto version : {ParquetDataPageVersion::V1, ParquetDataPageVersion::V2}) {
    options.page_version = version;
    for (const int64_t page_bytes : {60, 300, 1 << 20}) {
      options.page_bytes = page_bytes;
      options.dictionary = page_bytes != 300;
      expect_rows(columns, options, spec, [](int64_t row) { return row % 50 == 3; });
    }
  }
}

NodePtr list_of(const NodePtr& repeated) {
  return GroupNode::Make("c", Repetition::OPTIONAL, {repeated}, LogicalType::List());
}

/// Lists in two levels, and maps, as older writers stored them.
TEST(NestedReader, ReadsOlderLayouts) {
  std::mt19937 random(4);
  const auto members = [](const std::string& name, Repetition::type repetition) {
    return GroupNode::Make(name, repetition, {test::node_of("a", kLong, true), test::node_of("b", kText, false)});
  };
  const auto number = [](const std::string& name) {
    return parquet::schema::PrimitiveNode::Make(name, Repetition::REPEATED, LogicalType::None(), parquet::Type::INT64);
  };
  const DataType pair = DataType::structure({{"a", kLong, true}, {"b", kText, false}});
  const DataType one = DataType::structure({{"a", kLong, true}});
  const auto single = [](const std::string& name) {
    return GroupNode::Make(name, Repetition::REPEATED, {test::node_of("a", kLong, true)});
  };
  const auto expect = [&](const DataType& type, bool nullable, const NodePtr& node) {
    const auto values = test::random_column(type, nullable, 100, random);
    expect_all_rows({test::nested_column(values, nullable, node)}, {});
  };
  expect(DataType::array(kLong, false), true, list_of(number("element")));
  expect(DataType::array(pair, false), true, list_of(members("element", Repetition::REPEATED)));
  expect(DataType::array(one, false), true, list_of(single("array")));
  expect(DataType::array(one, false), true, list_of(single("c_tuple")));
  expect(DataType::array(kLong, true), true, list_of(single("bag")));
  expect(DataType::array(kLong, false), false, number("c"));
  expect(DataType::array(pair, false), false, members("c", Repetition::REPEATED));
  const auto entries = GroupNode::Make("map", Repetition::REPEATED,
                                       {test::node_of("key", kText, false), test::node_of("value", kLong, true)},
                                       parquet::ConvertedType::MAP_KEY_VALUE);
  const auto map = GroupNode::Make("c", Repetition::OPTIONAL, {entries}, parquet::ConvertedType::MAP_KEY_VALUE);
  expect(DataType::map(kText, kLong, true), true, map);
}

/// Reads a column as another type and returns its rows.
std::vector<std::string> rows_as(const TestColumn& column, const DataType& type) {
  auto spec = std::make_shared<ScanSpec>();
  spec->columns.push_back({column.node->name(), type});
  const TemporaryFile file(test::write_parquet({column}, of_rows(4)));
  return test::run_scan(spec, {{file.split()}}, 3).rows;
}

/// Returns (1,[5,6]), (null,[]), null, (4,null).
columns::ColumnPtr some_structs() {
  using columns::test::make_array;
  using columns::test::make_longs;
  const DataType type = DataType::structure({{"a", kLong, true}, {"b", DataType::array(kLong, true), true}});
  columns::FlatParts parts{type, type.physical(), 4, 0, nullptr, nullptr, {}, {}};
  const auto validity = memory::Buffer::allocate_zeroed(1, unlimited());
  *validity->mutable_data() = 0b1011;
  parts.validity = validity;
  parts.children = {make_longs({1, std::nullopt, 3, 4}), make_array(make_longs({5, 6}), {2, 0, -1, -1})};
  return columns::Column::flat(std::move(parts));
}

using Rows = std::vector<std::string>;

TEST(NestedReader, FillsInMembersThatTheFileLacks) {
  const TestColumn column = test::nested_column("c", some_structs(), true);
  const auto rows = [&](std::vector<types::Field> fields) {
    return rows_as(column, DataType::structure(std::move(fields)));
  };
  EXPECT_EQ(rows({{"B", DataType::array(kLong, true), true}, {"x", kText, true}, {"A", kLong, true}}),
            (Rows{"([5,6],null,1)", "([],null,null)", "null", "(null,null,4)"}));
  EXPECT_EQ(rows({{"x", kText, true}, {"y", kLong, true}}),
            (Rows{"(null,null)", "(null,null)", "null", "(null,null)"}));
}

TEST(NestedReader, ReadsMembersByThemselves) {
  const TestColumn column = test::nested_column("c", some_structs(), true);
  const TemporaryFile file(test::write_parquet({column}, of_rows(4)));
  auto spec = std::make_shared<ScanSpec>();
  spec->columns = {{"c", kLong, true, -1, false, false, {"a"}},
                   {"C", DataType::array(kLong, true), true, -1, false, false, {"B"}},
                   {"c", kText, true, -1, false, false, {"lacking"}}};
  for (const int64_t batch_rows : {3, 1, 0}) {
    EXPECT_EQ(test::run_scan(spec, {{file.split()}}, batch_rows).rows,
              (Rows{"1|[5,6]|null", "null|[]|null", "null|null|null", "4|null|null"}));
  }
  spec->filters = {test::compare(0, "GreaterThan", 2)};
  EXPECT_EQ(test::run_scan(spec, {{file.split()}}, 0).rows, (Rows{"4|null|null"}));
  spec->filters = {test::compare(0, "GreaterThan", 4)};
  EXPECT_EQ(test::run_scan(spec, {{file.split()}}, 0).rows, Rows());
}

TEST(NestedReader, TellsNullStructsByALeafThatIsNotWanted) {
  const auto lists = columns::test::make_array(some_structs(), {1, 0, -1, 3});
  const DataType lacking = DataType::structure({{"x", kText, true}});
  EXPECT_EQ(rows_as(test::nested_column("c", lists, true), DataType::array(lacking, true)),
            (Rows{"[(null)]", "[]", "null", "[(null),null,(null)]"}));
  // All that the file has of this one lies in lists.
  const DataType type = DataType::structure({{"lists", lists->type(), true}});
  columns::FlatParts parts{type, type.physical(), 4, 0, nullptr, nullptr, {}, {lists}};
  const auto validity = memory::Buffer::allocate_zeroed(1, unlimited());
  *validity->mutable_data() = 0b1110;
  parts.validity = validity;
  EXPECT_EQ(rows_as(test::nested_column("c", columns::Column::flat(std::move(parts)), true), lacking),
            (Rows{"null", "(null)", "(null)", "(null)"}));
}

/// Writes a list of structs whose leaves have lists of different lengths.
TEST(NestedReader, RefusesLeavesThatDisagree) {
  const DataType type = DataType::array(DataType::structure({{"a", kLong, false}, {"b", kLong, false}}), false);
  TestColumn column;
  column.node = test::node_of("c", type, false);
  column.type = type;
  column.write_leaves = [](parquet::RowGroupWriter& group, int64_t, int64_t) {
    const int16_t definitions[] = {1, 1, 1};
    const int16_t repetitions[][3] = {{0, 1, 0}, {0, 0, 1}};
    const int64_t values[] = {1, 2, 3};
    for (const auto& levels : repetitions) {
      static_cast<parquet::Int64Writer&>(*group.NextColumn()).WriteBatch(3, definitions, levels, values);
    }
  };
  const TemporaryFile file(test::write_parquet({column}, of_rows(2)));
  try {
    test::run_scan(test::spec_of({column}), {{file.split()}}, 0);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    for (const std::string& part :
         {std::string("c.list.element.a and c.list.element.b"), std::string("column c"), file.uri()}) {
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
    }
  }
}

TEST(NestedReader, GivesItsMemoryBack) {
  const auto columns = random_columns(100, 5);
  const TemporaryFile file(test::write_parquet(columns, {}));
  for (const int64_t limit : {memory::Budget::kUnlimited, int64_t{200} << 10}) {
    const auto budget = std::make_shared<memory::Budget>("scan", limit);
    try {
      test::run_scan(test::spec_of(columns), {{file.split()}}, 0, budget);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource) << error.message();
    }
    EXPECT_EQ(budget->used_bytes(), 0);
  }
}

}  // namespace
}  // namespace accelerant::io
