#include "io/unsafe_rows.h"

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

/// Writes rows as UnsafeRow does: words, then what is longer than a word.
class RowWriter {
 public:
  explicit RowWriter(size_t num_columns) : num_columns_(num_columns) { start(); }

  RowWriter& null() {
    row_[column_ / 8] |= static_cast<char>(1 << (column_ % 8));
    return word(0);
  }
  RowWriter& word(uint64_t value) {
    std::memcpy(row_.data() + null_bytes() + 8 * column_++, &value, 8);
    return *this;
  }
  RowWriter& bytes(const std::string& text) {
    const uint64_t place = row_.size() << 32 | text.size();
    row_ += text;
    row_.resize((row_.size() + 7) / 8 * 8);
    return word(place);
  }
  RowWriter& end() {
    const auto size = static_cast<int64_t>(row_.size());
    all_.append(reinterpret_cast<const char*>(&size), 8);
    all_ += row_;
    ++num_rows_;
    start();
    return *this;
  }

  std::string& all() { return all_; }

  columns::Batch read(const std::vector<DataType>& types) const {
    std::vector<types::Field> fields;
    for (const DataType& type : types) fields.push_back({"c", type, true});
    const auto buffer = memory::Buffer::allocate(static_cast<int64_t>(all_.size()), kBudget);
    std::memcpy(buffer->mutable_data(), all_.data(), all_.size());
    return read_unsafe_rows(buffer, num_rows_, DataType::structure(std::move(fields)), kBudget);
  }

 private:
  size_t null_bytes() const { return (num_columns_ + 63) / 64 * 8; }
  void start() {
    row_.assign(null_bytes() + 8 * num_columns_, '\0');
    column_ = 0;
  }

  const size_t num_columns_;
  std::string row_;
  std::string all_;
  size_t column_ = 0;
  int64_t num_rows_ = 0;
};

TEST(UnsafeRows, ReadValuesOfEachWidth) {
  RowWriter rows(8);
  rows.word(1).word(0x80).word(0x8000).word(7).word(std::bit_cast<uint32_t>(1.5F)).word(~0ULL);
  rows.word(std::bit_cast<uint64_t>(-2.5)).word(12345).end();
  const columns::Batch batch =
      rows.read({DataType(TypeId::Boolean), DataType(TypeId::Byte), DataType(TypeId::Short), DataType(TypeId::Date),
                 DataType(TypeId::Float), DataType(TypeId::Long), DataType(TypeId::Double), DataType::decimal(18, 2)});
  ASSERT_EQ(batch.num_rows, 1);
  EXPECT_EQ(batch.columns[0]->values<uint8_t>()[0], 1);
  EXPECT_EQ(batch.columns[1]->values<int8_t>()[0], -128);
  EXPECT_EQ(batch.columns[2]->values<int16_t>()[0], -32768);
  EXPECT_EQ(batch.columns[3]->values<int32_t>()[0], 7);
  EXPECT_EQ(batch.columns[4]->values<float>()[0], 1.5F);
  EXPECT_EQ(batch.columns[5]->values<int64_t>()[0], -1);
  EXPECT_EQ(batch.columns[6]->values<double>()[0], -2.5);
  EXPECT_EQ(batch.columns[7]->values<int64_t>()[0], 12345);
}

TEST(UnsafeRows, ReadNullsAmongMoreColumnsThanAWordHasBits) {
  constexpr size_t kColumns = 70;
  RowWriter rows(kColumns);
  for (uint64_t row = 0; row < 3; ++row) {
    for (uint64_t column = 0; column < kColumns; ++column)
      column % 3 == row ? rows.null() : rows.word(100 * row + column);
    rows.end();
  }
  const columns::Batch batch = rows.read(std::vector<DataType>(kColumns, DataType(TypeId::Long)));
  for (size_t column = 0; column < kColumns; ++column) {
    for (int64_t row = 0; row < 3; ++row) {
      const bool is_null = static_cast<int64_t>(column % 3) == row;
      EXPECT_EQ(batch.columns[column]->is_null(row), is_null);
      const int64_t expected = is_null ? 0 : 100 * row + static_cast<int64_t>(column);
      EXPECT_EQ(batch.columns[column]->values<int64_t>()[row], expected);
    }
  }
}

TEST(UnsafeRows, ReadShortAndLongStringsInPlace) {
  RowWriter rows(2);
  const std::vector<std::string> texts = {"", "twelve bytes", "thirteen byte", std::string(1000, 'x')};
  for (const std::string& text : texts) rows.bytes(text).bytes(text + "!").end();
  rows.null().bytes("last").end();
  const columns::Batch batch = rows.read({DataType(TypeId::String), DataType(TypeId::Binary)});
  for (size_t row = 0; row < texts.size(); ++row) {
    const auto text = batch.columns[0]->string_at(static_cast<int64_t>(row));
    EXPECT_EQ(std::string(text.data, static_cast<size_t>(text.length)), texts[row]);
    const auto more = batch.columns[1]->string_at(static_cast<int64_t>(row));
    EXPECT_EQ(std::string(more.data, static_cast<size_t>(more.length)), texts[row] + "!");
  }
  EXPECT_TRUE(batch.columns[0]->is_null(4));
}

TEST(UnsafeRows, ReadWideDecimalsWithTheHighestByteFirst) {
  RowWriter rows(1);
  rows.bytes(std::string("\x01\x00", 2)).end();
  rows.bytes(std::string("\xff", 1)).end();
  rows.bytes(std::string("\x80", 1) + std::string(15, '\0')).end();
  rows.null().end();
  const columns::Batch batch = rows.read({DataType::decimal(38, 0)});
  EXPECT_EQ(batch.columns[0]->values<__int128>()[0], 256);
  EXPECT_EQ(batch.columns[0]->values<__int128>()[1], -1);
  EXPECT_EQ(batch.columns[0]->values<__int128>()[2], static_cast<__int128>(1) << 127);
  EXPECT_TRUE(batch.columns[0]->is_null(3));
}

TEST(UnsafeRows, ReadNothing) {
  const columns::Batch batch =
      read_unsafe_rows(nullptr, 0, DataType::structure({{"a", DataType(TypeId::String), true}}), kBudget);
  EXPECT_EQ(batch.num_rows, 0);
  EXPECT_EQ(batch.columns[0]->length(), 0);
}

TEST(UnsafeRows, RefuseRowsThatAreCutOff) {
  RowWriter rows(1);
  rows.bytes("a text of more than twelve bytes").end();
  for (const size_t length : {4UL, 12UL, 20UL}) {
    RowWriter cut = rows;
    cut.all().resize(length);
    EXPECT_THROW(cut.read({DataType(TypeId::String)}), Error);
  }
  RowWriter beyond = rows;
  beyond.all()[16] = 127;  // the text's size
  EXPECT_THROW(beyond.read({DataType(TypeId::String)}), Error);
}

}  // namespace

}  // namespace accelerant::io
