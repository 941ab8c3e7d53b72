#include "io/cached_batch_writer.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/cached_batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {

namespace {

using columns::test::make_flat;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::show;
using types::DataType;
using types::PhysicalType;
using types::TypeId;
using Bytes = CachedBatchWriter::Bytes;

const std::shared_ptr<memory::Budget> kBudget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
constexpr MessageLimits kLimits = {1000, 1 << 20};

DataType row_of(const std::vector<DataType>& types) {
  std::vector<types::Field> fields;
  for (const DataType& type : types) fields.push_back({"c", type, true});
  return DataType::structure(std::move(fields));
}

columns::Batch batch_of(std::vector<columns::ColumnPtr> columns) {
  columns::Batch batch;
  batch.num_rows = columns.front()->length();
  batch.columns = std::move(columns);
  return batch;
}

int32_t int_at(const Bytes& bytes, size_t index) {
  int32_t value;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

/// Reads a batch back: as the reader wants it, without the number of parts and the statistics.
columns::Batch read_back(const Bytes& bytes, const DataType& type) {
  const auto num_columns = static_cast<size_t>(int_at(bytes, 1)) - 1;
  Bytes read(bytes.begin(), bytes.begin() + 4);
  read.insert(read.end(), bytes.begin() + 8, bytes.begin() + static_cast<std::ptrdiff_t>(8 + 4 * num_columns));
  const auto end = bytes.end() - int_at(bytes, 2 + num_columns);
  read.insert(read.end(), bytes.begin() + static_cast<std::ptrdiff_t>(12 + 4 * num_columns), end);
  const auto buffer = memory::Buffer::allocate(std::ssize(read), kBudget);
  std::memcpy(buffer->mutable_data(), read.data(), read.size());
  return read_cached_batch(buffer, type, kBudget);
}

/// The fields of a batch's statistics, and which of them are null.
struct ReadStatistics {
  explicit ReadStatistics(const Bytes& bytes) {
    const auto num_columns = static_cast<size_t>(int_at(bytes, 1)) - 1;
    const auto size = static_cast<size_t>(int_at(bytes, 2 + num_columns));
    row.assign(bytes.end() - static_cast<std::ptrdiff_t>(size), bytes.end());
    words.resize(size / 8);
    std::memcpy(words.data(), row.data(), size);
    first = (num_columns * 5 + 63) / 64;
  }
  bool is_null(size_t field) const { return words[field / 64] >> (field % 64) & 1; }
  int64_t number(size_t field) const { return static_cast<int64_t>(words[first + field]); }
  std::string text(size_t field) const {
    const uint64_t place = words[first + field];
    return {reinterpret_cast<const char*>(row.data()) + (place >> 32), static_cast<size_t>(place & 0xffffffff)};
  }

  Bytes row;
  std::vector<uint64_t> words;
  size_t first;
};

TEST(CachedBatchWriter, LaysOutWhatTheReaderReads) {
  const DataType type = row_of({DataType(TypeId::Int), DataType(TypeId::String), DataType::decimal(30, 2)});
  CachedBatchWriter writer(type, true, kBudget);
  const auto ints = make_flat<int32_t>(DataType(TypeId::Int), {3, std::nullopt, -7, 3}, PhysicalType::Int32);
  const auto texts = make_strings({"b", "a text that does not fit a view", std::nullopt, ""});
  const auto decimals =
      make_flat<__int128>(DataType::decimal(30, 2), {-129, 127, 128, std::nullopt}, PhysicalType::Int128);
  EXPECT_TRUE(writer.write(batch_of({ints, texts, decimals}), kLimits).empty());
  const auto written = writer.finish();
  ASSERT_EQ(written.size(), 1);
  EXPECT_EQ(int_at(written[0], 0), 4);
  const columns::Batch read = read_back(written[0], type);
  EXPECT_EQ(show(*read.columns[0]), show(*ints));
  EXPECT_EQ(show(*read.columns[1]), show(*texts));
  EXPECT_EQ(show(*read.columns[2]), show(*decimals));

  const ReadStatistics statistics(written[0]);
  EXPECT_EQ(static_cast<int32_t>(statistics.number(0)), -7);
  EXPECT_EQ(static_cast<int32_t>(statistics.number(1)), 3);
  EXPECT_EQ(statistics.number(2), 1);
  EXPECT_EQ(statistics.number(3), 4);
  EXPECT_EQ(statistics.number(4), 3 * 4 + 4);
  EXPECT_EQ(statistics.text(5), "");
  EXPECT_EQ(statistics.text(6), "b");
  EXPECT_EQ(statistics.number(9), (4 + 1) + (4 + 31) + 4 + 4);
  EXPECT_EQ(statistics.text(10), std::string("\xff\x7f", 2));
  EXPECT_EQ(statistics.text(11), std::string("\0\x80", 2));
  EXPECT_TRUE(writer.finish().empty());
}

TEST(CachedBatchWriter, TakesColumnsOfEveryEncoding) {
  for (const auto& [name, column] : columns::test::samples(70)) {
    if (!can_cache(column->type())) continue;
    const DataType type = row_of({column->type()});
    for (const bool is_compressed : {true, false}) {
      CachedBatchWriter writer(type, is_compressed, kBudget);
      writer.write(batch_of({column}), kLimits);
      const auto written = writer.finish();
      ASSERT_EQ(written.size(), 1) << name;
      EXPECT_EQ(show(*read_back(written[0], type).columns[0]), show(*column)) << name;
    }
  }
}

TEST(CachedBatchWriter, HasNoBoundsOfTextsWithoutValues) {
  CachedBatchWriter writer(row_of({DataType(TypeId::String), DataType(TypeId::Long)}), true, kBudget);
  const auto longs = make_longs({std::nullopt, std::nullopt});
  writer.write(batch_of({make_strings({std::nullopt, std::nullopt}), longs}), kLimits);
  const ReadStatistics statistics(writer.finish().front());
  EXPECT_TRUE(statistics.is_null(0) && statistics.is_null(1));
  EXPECT_EQ(statistics.number(5), INT64_MAX);
  EXPECT_EQ(statistics.number(6), INT64_MIN);
}

TEST(CachedBatchWriter, FillsBatchesFromSeveral) {
  const DataType type = row_of({DataType(TypeId::Long)});
  CachedBatchWriter writer(type, true, kBudget);
  std::vector<Bytes> written;
  int64_t next = 0;
  for (const int64_t rows : {int64_t{700}, int64_t{1}, int64_t{2600}, int64_t{0}, int64_t{350}}) {
    std::vector<std::optional<int64_t>> values;
    for (int64_t i = 0; i < rows; ++i) values.emplace_back(next++);
    for (Bytes& bytes : writer.write(batch_of({make_longs(values)}), kLimits)) {
      written.push_back(std::move(bytes));
    }
  }
  EXPECT_EQ(written.size(), 3);
  for (Bytes& bytes : writer.finish()) written.push_back(std::move(bytes));
  ASSERT_EQ(written.size(), 4);
  int64_t expected = 0;
  for (const Bytes& bytes : written) {
    const columns::Batch read = read_back(bytes, type);
    for (int64_t i = 0; i < read.num_rows; ++i) EXPECT_EQ(read.columns[0]->values<int64_t>()[i], expected++);
  }
  EXPECT_EQ(expected, next);
}

TEST(CachedBatchWriter, EndsABatchBehindTheRowThatExceedsTheBytes) {
  CachedBatchWriter writer(row_of({DataType(TypeId::String)}), true, kBudget);
  std::vector<std::optional<std::string>> texts(10, std::string(100, 'x'));
  texts[1] = std::nullopt;
  std::vector<int32_t> rows;
  for (const Bytes& bytes : writer.write(batch_of({make_strings(texts)}), {1000, 300})) {
    rows.push_back(int_at(bytes, 0));
  }
  EXPECT_EQ(rows, (std::vector<int32_t>{4, 3, 3}));
  EXPECT_TRUE(writer.finish().empty());
}

TEST(CachedBatchWriter, RefusesNestedValues) {
  const DataType lists = DataType::array(DataType(TypeId::Int), true);
  try {
    const CachedBatchWriter writer(row_of({DataType(TypeId::Int), lists}), true, kBudget);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(error.message(), "a cached column of type array<int>");
  }
}

}  // namespace

}  // namespace accelerant::io
