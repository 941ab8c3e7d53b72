#include "api/answer.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <cmath>

namespace accelerant::api {
namespace {

using columns::test::make_flat;
using types::DataType;
using types::PhysicalType;
using types::TypeId;

columns::Batch batch_of(std::vector<columns::ColumnPtr> columns) {
  columns::Batch batch;
  batch.num_rows = columns.front()->length();
  batch.columns = std::move(columns);
  return batch;
}

TEST(AnswerSummary, HashesRowsAsSpark) {
  // Spark 4.3.0: xxhash64(1, 'a', 2L, cast(null as int), 1.50BD, true) = 4809405587660576893.
  AnswerSummary summary({DataType(TypeId::Int), DataType(TypeId::String), DataType(TypeId::Long), DataType(TypeId::Int),
                         DataType::decimal(3, 2), DataType(TypeId::Boolean)});
  summary.add(batch_of({make_flat<int32_t>(DataType(TypeId::Int), {1}, PhysicalType::Int32),
                        columns::test::make_strings({"a"}), columns::test::make_longs({2}),
                        make_flat<int32_t>(DataType(TypeId::Int), {std::nullopt}, PhysicalType::Int32),
                        make_flat<int64_t>(DataType::decimal(3, 2), {150}, PhysicalType::Int64),
                        make_flat<uint8_t>(DataType(TypeId::Boolean), {1}, PhysicalType::Bool)}));
  EXPECT_EQ(summary.answer().rows, 1);
  EXPECT_EQ(static_cast<int64_t>(summary.answer().hash), 4809405587660576893);
}

TEST(AnswerSummary, HashesWideDecimalsAlikeInBothWidths) {
  const DataType type = DataType::decimal(38, 0);
  AnswerSummary narrow({type});
  AnswerSummary wide({type});
  narrow.add(batch_of({make_flat<int64_t>(type, {-129, 128}, PhysicalType::Int64)}));
  wide.add(batch_of({make_flat<int128>(type, {-129, 128}, PhysicalType::Int128)}));
  EXPECT_EQ(narrow.answer().hash, wide.answer().hash);
  EXPECT_EQ(static_cast<int64_t>(wide.answer().hash), -6459515886037897956 + 6715097930120473301);
}

TEST(AnswerSummary, DoesNotDependOnOrderOrBatchesOrEncoding) {
  AnswerSummary one({DataType(TypeId::String)});
  AnswerSummary other({DataType(TypeId::String)});
  one.add(batch_of({columns::test::make_strings({"a", std::nullopt, "a rather long string", "a"})}));
  const auto dictionary = columns::test::make_strings({"a rather long string", "a"});
  other.add(batch_of({columns::test::make_dictionary(dictionary, {1, 0, std::nullopt})}));
  other.add(batch_of({columns::Column::constant(columns::test::make_strings({"a"}), 1)}));
  EXPECT_EQ(one.answer().rows, 4);
  EXPECT_TRUE(one.differences_from(other.answer()).empty());
}

TEST(AnswerSummary, HashesRowsWithoutColumns) {
  AnswerSummary summary({});
  columns::Batch batch;
  batch.num_rows = 3;
  summary.add(batch);
  EXPECT_EQ(summary.answer().hash, 3u * 42u);
}

TEST(AnswerSummary, SumsFloats) {
  const DataType type(TypeId::Double);
  AnswerSummary summary({type});
  const double infinity = INFINITY;
  summary.add(batch_of({make_flat<double>(type, {1.5, -0.5, std::nullopt, std::nan(""), infinity, -infinity, infinity},
                                          PhysicalType::Float64)}));
  const plan::FloatSums& sums = summary.answer().floats.at(0);
  EXPECT_EQ(sums.count, 6);
  EXPECT_EQ(sums.nans, 1);
  EXPECT_EQ(sums.positive_infinities, 2);
  EXPECT_EQ(sums.negative_infinities, 1);
  EXPECT_EQ(sums.sum, 1.0);
  EXPECT_EQ(sums.magnitude, 2.0);
}

TEST(AnswerSummary, ComparesFloatsWithATolerance) {
  const DataType type(TypeId::Double);
  AnswerSummary summary({type});
  summary.add(batch_of({make_flat<double>(type, {1000.0, -999.0}, PhysicalType::Float64)}));
  plan::CapturedAnswer expected = summary.answer();
  expected.floats[0].sum += 1e-7;
  EXPECT_TRUE(summary.differences_from(expected).empty());
  expected.floats[0].sum += 1e-5;
  EXPECT_EQ(summary.differences_from(expected).size(), 1u);
  expected.floats[0].sum = std::nan("");
  EXPECT_EQ(summary.differences_from(expected).size(), 1u);
}

TEST(AnswerSummary, NamesDifferences) {
  AnswerSummary summary({DataType(TypeId::Long)});
  summary.add(batch_of({columns::test::make_longs({1})}));
  plan::CapturedAnswer expected = summary.answer();
  expected.rows = 2;
  EXPECT_EQ(summary.differences_from(expected), std::vector<std::string>{"rows: Spark 2, here 1"});
  expected = summary.answer();
  expected.hash ^= 1;
  EXPECT_EQ(summary.differences_from(expected).size(), 1u);
  expected = {};
  expected.error_class = "java.lang.ArithmeticException";
  EXPECT_EQ(summary.differences_from(expected).size(), 1u);
}

}  // namespace
}  // namespace accelerant::api
