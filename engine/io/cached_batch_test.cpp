#include "io/cached_batch.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {

namespace {

using types::DataType;
using types::TypeId;

const std::shared_ptr<memory::Budget> kBudget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);

enum : int32_t { PassThrough, RunLengths, Dictionary, Bits, IntDeltas, LongDeltas };

/// The bytes of a column, as Spark's builders put them together.
class ColumnBytes {
 public:
  explicit ColumnBytes(const std::vector<int32_t>& nulls = {}) {
    put(static_cast<int32_t>(nulls.size()));
    for (const int32_t row : nulls) put(row);
  }

  template <class T>
  ColumnBytes& put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  ColumnBytes& text(const std::string& value) {
    put(static_cast<int32_t>(value.size()));
    bytes_ += value;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string packed(int32_t num_rows, const std::vector<ColumnBytes>& columns) {
  std::string result(reinterpret_cast<const char*>(&num_rows), sizeof num_rows);
  for (const ColumnBytes& column : columns) {
    const auto size = static_cast<int32_t>(column.bytes().size());
    result.append(reinterpret_cast<const char*>(&size), sizeof size);
  }
  for (const ColumnBytes& column : columns) result += column.bytes();
  return result;
}

columns::Batch read(const std::string& bytes, const std::vector<DataType>& types) {
  std::vector<types::Field> fields;
  for (const DataType& type : types) fields.push_back({"c", type, true});
  const auto buffer = memory::Buffer::allocate(static_cast<int64_t>(bytes.size()), kBudget);
  if (!bytes.empty()) std::memcpy(buffer->mutable_data(), bytes.data(), bytes.size());
  return read_cached_batch(buffer, DataType::structure(std::move(fields)), kBudget);
}

template <class T>
std::vector<std::optional<T>> values_of(const columns::Column& column) {
  std::vector<std::optional<T>> values;
  for (int64_t i = 0; i < column.length(); ++i) {
    values.push_back(column.is_null(i) ? std::optional<T>() : column.values<T>()[i]);
  }
  return values;
}

std::vector<std::optional<std::string>> texts_of(const columns::Column& column) {
  std::vector<std::optional<std::string>> values;
  for (int64_t i = 0; i < column.length(); ++i) {
    if (column.is_null(i)) {
      values.push_back({});
      continue;
    }
    const types::StringRef text =
        column.is_dictionary() ? column.child_values()->string_at(column.indices()[i]) : column.string_at(i);
    values.emplace_back(std::string(text.data, static_cast<size_t>(text.length)));
  }
  return values;
}

template <class T>
using Values = std::vector<std::optional<T>>;
using Texts = Values<std::string>;

TEST(CachedBatch, ReadsEachCompressionOfNumbers) {
  const auto batch = read(
      packed(4,
             {ColumnBytes({1}).put(PassThrough).put<int16_t>(5).put<int16_t>(-6).put<int16_t>(7),
              ColumnBytes({0, 3}).put(RunLengths).put<int32_t>(9).put<int32_t>(2),
              ColumnBytes()
                  .put(Dictionary)
                  .put<int32_t>(2)
                  .put<int64_t>(70)
                  .put<int64_t>(-80)
                  .put<int16_t>(1)
                  .put<int16_t>(0)
                  .put<int16_t>(0)
                  .put<int16_t>(1),
              ColumnBytes({2}).put(Bits).put<int32_t>(3).put<int64_t>(0b101),
              ColumnBytes()
                  .put(IntDeltas)
                  .put<int8_t>(-128)
                  .put<int32_t>(1000)
                  .put<int8_t>(-1)
                  .put<int8_t>(127)
                  .put<int8_t>(-128)
                  .put<int32_t>(-5),
              ColumnBytes({3}).put(LongDeltas).put<int8_t>(-128).put<int64_t>(1LL << 40).put<int8_t>(3).put<int8_t>(0),
              ColumnBytes().put(PassThrough).put(1.5).put(-0.0).put(2.5).put(3.5)}),
      {DataType(TypeId::Short), DataType(TypeId::Date), DataType(TypeId::Timestamp), DataType(TypeId::Boolean),
       DataType(TypeId::Int), DataType(TypeId::Long), DataType(TypeId::Double)});
  EXPECT_EQ(batch.num_rows, 4);
  EXPECT_EQ(values_of<int16_t>(*batch.columns[0]), (Values<int16_t>{5, {}, -6, 7}));
  EXPECT_EQ(values_of<int32_t>(*batch.columns[1]), (Values<int32_t>{{}, 9, 9, {}}));
  EXPECT_EQ(values_of<int64_t>(*batch.columns[2]), (Values<int64_t>{-80, 70, 70, -80}));
  EXPECT_EQ(values_of<uint8_t>(*batch.columns[3]), (Values<uint8_t>{1, 0, {}, 1}));
  EXPECT_EQ(values_of<int32_t>(*batch.columns[4]), (Values<int32_t>{1000, 999, 1126, -5}));
  const int64_t start = 1LL << 40;
  EXPECT_EQ(values_of<int64_t>(*batch.columns[5]), (Values<int64_t>{start, start + 3, start + 3, {}}));
  EXPECT_EQ(values_of<double>(*batch.columns[6]), (Values<double>{1.5, -0.0, 2.5, 3.5}));
}

TEST(CachedBatch, ReadsStringsBinariesAndLongDecimals) {
  const std::string longer = "a text that does not fit a view";
  const auto batch =
      read(packed(4, {ColumnBytes({0}).put(PassThrough).text("").text(longer).text("b"),
                      ColumnBytes({3}).put(RunLengths).text(longer).put<int32_t>(2).text("c").put<int32_t>(1),
                      ColumnBytes({1})
                          .put(Dictionary)
                          .put<int32_t>(2)
                          .text(longer)
                          .text("d")
                          .put<int16_t>(1)
                          .put<int16_t>(0)
                          .put<int16_t>(1),
                      ColumnBytes({2}).text(std::string("\0\xff", 2)).text("").text(longer),
                      ColumnBytes({0, 1}).text("\x01").text("\xff\x00")}),
           {DataType(TypeId::String), DataType(TypeId::String), DataType(TypeId::String), DataType(TypeId::Binary),
            DataType::decimal(30, 2)});
  EXPECT_EQ(texts_of(*batch.columns[0]), (Texts{{}, "", longer, "b"}));
  EXPECT_EQ(texts_of(*batch.columns[1]), (Texts{longer, longer, "c", {}}));
  EXPECT_TRUE(batch.columns[2]->is_dictionary());
  EXPECT_EQ(texts_of(*batch.columns[2]), (Texts{"d", {}, longer, "d"}));
  EXPECT_EQ(texts_of(*batch.columns[3]), (Texts{std::string("\0\xff", 2), "", {}, longer}));
  EXPECT_EQ(values_of<__int128>(*batch.columns[4])[2], __int128{1});
}

TEST(CachedBatch, ReadsRowsWithoutColumnsAndColumnsOfNulls) {
  EXPECT_EQ(read(packed(7, {}), {}).num_rows, 7);
  const auto batch =
      read(packed(2, {ColumnBytes({0, 1}).put(PassThrough), ColumnBytes({0, 1}).put(Dictionary).put<int32_t>(0)}),
           {DataType(TypeId::Long), DataType(TypeId::Int)});
  EXPECT_EQ(values_of<int64_t>(*batch.columns[0]), (Values<int64_t>{{}, {}}));
  EXPECT_EQ(values_of<int32_t>(*batch.columns[1]), (Values<int32_t>{{}, {}}));
}

TEST(CachedBatch, RefusesWhatIsCutOff) {
  const std::string whole = packed(3, {ColumnBytes({1})
                                           .put(Dictionary)
                                           .put<int32_t>(1)
                                           .text("a text that does not fit a view")
                                           .put<int16_t>(0)
                                           .put<int16_t>(0)});
  EXPECT_EQ(read(whole, {DataType(TypeId::String)}).num_rows, 3);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read(whole.substr(0, size), {DataType(TypeId::String)}), Error) << size;
  }
}

TEST(CachedBatch, RefusesWhatSparkDoesNotWrite) {
  const auto read_int = [](const ColumnBytes& column) { return read(packed(2, {column}), {DataType(TypeId::Int)}); };
  EXPECT_THROW(read_int(ColumnBytes({2}).put(PassThrough).put<int32_t>(0)), Error);
  EXPECT_THROW(read_int(ColumnBytes({1, 0}).put(PassThrough)), Error);
  EXPECT_THROW(read_int(ColumnBytes().put<int32_t>(6).put<int64_t>(0)), Error);
  EXPECT_THROW(read_int(ColumnBytes().put(Bits).put<int32_t>(2).put<int64_t>(0)), Error);
  EXPECT_THROW(read_int(ColumnBytes().put(RunLengths).put<int32_t>(1).put<int32_t>(3)), Error);
  EXPECT_THROW(read_int(ColumnBytes().put(Dictionary).put<int32_t>(1).put<int32_t>(8).put<int32_t>(1)), Error);
}

}  // namespace

}  // namespace accelerant::io
