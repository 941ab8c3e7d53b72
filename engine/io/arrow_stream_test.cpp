#include "io/arrow_stream.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/test_streams.h"

#include <gtest/gtest.h>

#include <cstring>

namespace accelerant::io {
namespace {

using columns::Batch;
using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::TypeId;

memory::BufferPtr prefix_of(const memory::BufferPtr& bytes, int64_t length) {
  auto prefix = memory::Buffer::allocate(length, unlimited());
  std::memcpy(prefix->mutable_data(), bytes->data(), static_cast<size_t>(length));
  return prefix;
}

TEST(ArrowStream, BringsValuesOfEveryType) {
  for (const int num_rows : {1, 33}) {
    for (const auto& sample : columns::test::samples(num_rows)) {
      SCOPED_TRACE(sample.name);
      const DataType type = DataType::structure({{"c", sample.column->type(), true}});
      Batch batch;
      batch.num_rows = sample.column->length();
      batch.columns = {sample.column};
      const auto read = read_arrow_stream(test::write_arrow_stream(batch, type), type, unlimited());
      ASSERT_EQ(read.size(), 1);
      EXPECT_EQ(read[0].num_rows, batch.num_rows);
      EXPECT_EQ(show(*read[0].columns[0]), show(*sample.column));
    }
  }
}

TEST(ArrowStream, KeepsTheRowsOfABatchWithoutColumns) {
  Batch batch;
  batch.num_rows = 3;
  const DataType type = DataType::structure({});
  const auto read = read_arrow_stream(test::write_arrow_stream(batch, type), type, unlimited());
  ASSERT_EQ(read.size(), 1);
  EXPECT_EQ(read[0].num_rows, 3);
}

TEST(ArrowStream, RefusesAnotherSchema) {
  Batch batch;
  batch.num_rows = 2;
  batch.columns = {columns::test::make_longs({1, 2})};
  const auto type_of = [](TypeId id, bool nullable) { return DataType::structure({{"c", DataType(id), nullable}}); };
  const auto bytes = test::write_arrow_stream(batch, type_of(TypeId::Long, true));
  for (const DataType& other : {type_of(TypeId::Int, true), type_of(TypeId::Long, false), DataType::structure({})}) {
    EXPECT_THROW(read_arrow_stream(bytes, other, unlimited()), Error);
  }
}

TEST(ArrowStream, NamesAStreamThatIsCutOff) {
  Batch batch;
  batch.num_rows = 2;
  batch.columns = {columns::test::make_longs({1, 2})};
  const DataType type = DataType::structure({{"c", DataType(TypeId::Long), true}});
  const auto bytes = test::write_arrow_stream(batch, type);
  for (int64_t length = 0; length < bytes->size_bytes(); length += 8) {
    try {
      for (const Batch& read : read_arrow_stream(prefix_of(bytes, length), type, unlimited())) {
        EXPECT_EQ(show(*read.columns[0]), (std::vector<std::string>{"1", "2"}));  // only the end mark is missing
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Internal);
      EXPECT_NE(error.message().find("an Arrow stream can't be read"), std::string::npos);
    }
  }
}

TEST(ArrowStream, HoldsItsBytesAsLongAsAColumnDoes) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  Batch batch;
  batch.num_rows = 1;
  batch.columns = {columns::test::make_strings({"a text that is too long to be kept inline"})};
  const DataType type = DataType::structure({{"c", DataType(TypeId::String), true}});
  const auto written = test::write_arrow_stream(batch, type);
  auto bytes = memory::Buffer::allocate(written->size_bytes(), budget);
  std::memcpy(bytes->mutable_data(), written->data(), static_cast<size_t>(written->size_bytes()));
  auto read = read_arrow_stream(bytes, type, budget);
  bytes.reset();
  EXPECT_EQ(show(*read[0].columns[0])[0], "a text that is too long to be kept inline");
  EXPECT_GT(budget->used_bytes(), 0);
  read.clear();
  EXPECT_EQ(budget->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::io
