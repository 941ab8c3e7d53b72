#include "io/unsafe_values.h"

#include "base/error.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {

namespace {

using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::TypeId;

std::string word(int64_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

/// Writes elements that have a width; std::nullopt is null.
template <class T>
std::string array_of(const std::vector<std::optional<T>>& elements) {
  std::string nulls((elements.size() + 63) / 64 * 8, '\0');
  std::string values;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i]) nulls[i / 8] |= static_cast<char>(1 << (i % 8));
    const T value = elements[i].value_or(T{});
    values.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return padded(word(static_cast<int64_t>(elements.size())) + nulls + values);
}

/// Writes elements that have bytes of their own.
std::string array_of_bytes(const std::vector<std::optional<std::string>>& elements) {
  std::string nulls((elements.size() + 63) / 64 * 8, '\0');
  const size_t first = 8 + nulls.size() + 8 * elements.size();
  std::string words;
  std::string bytes;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!elements[i]) nulls[i / 8] |= static_cast<char>(1 << (i % 8));
    const std::string text = elements[i].value_or("");
    words += word(static_cast<int64_t>((first + bytes.size()) << 32 | text.size()));
    bytes += padded(text);
  }
  return word(static_cast<int64_t>(elements.size())) + nulls + words + bytes;
}

std::string map_of(const std::string& keys, const std::string& values) {
  return word(static_cast<int64_t>(keys.size())) + keys + values;
}

columns::ColumnPtr read(const std::vector<std::optional<std::string>>& rows, const DataType& type) {
  std::string all;
  for (const auto& row : rows) all += row.value_or("");
  const auto whole = memory::Buffer::allocate(static_cast<int64_t>(all.size()) + 1, unlimited());
  std::memcpy(whole->mutable_data(), all.data(), all.size());
  UnsafeBodies bodies(static_cast<int64_t>(rows.size()), unlimited());
  const char* at = whole->as<char>();
  for (size_t i = 0; i < rows.size(); ++i) {
    bodies[static_cast<int64_t>(i)] =
        rows[i] ? types::StringRef{at, static_cast<int32_t>(rows[i]->size())} : types::StringRef{nullptr, 0};
    if (rows[i]) at += rows[i]->size();
  }
  return read_unsafe_values(bodies, type, whole, unlimited());
}

DataType array(const DataType& element) { return DataType::array(element, true); }

TEST(UnsafeValues, ReadArraysOfEachWidth) {
  EXPECT_EQ(show(*read({array_of<int8_t>({1, std::nullopt, 0}), std::nullopt, array_of<int8_t>({})},
                       array(DataType(TypeId::Boolean)))),
            (std::vector<std::string>{"[true,null,false]", "null", "[]"}));
  EXPECT_EQ(show(*read({array_of<int16_t>({-5, 7})}, array(DataType(TypeId::Short))))[0], "[-5,7]");
  EXPECT_EQ(show(*read({array_of<int32_t>({1, std::nullopt})}, array(DataType(TypeId::Int))))[0], "[1,null]");
  std::vector<std::optional<int64_t>> many(130, 3);
  many[129].reset();
  const auto longs = read({array_of<int64_t>({9}), array_of(many)}, array(DataType(TypeId::Long)));
  EXPECT_EQ(longs->children()[0]->length(), 131);
  EXPECT_EQ(longs->children()[0]->count_nulls(), 1);
  EXPECT_TRUE(longs->children()[0]->is_null(130));
}

TEST(UnsafeValues, ReadStringsInPlaceAndWideDecimals) {
  const auto texts = read({array_of_bytes({"short", std::nullopt, "a text of more than twelve bytes"}), std::nullopt},
                          array(DataType(TypeId::String)));
  EXPECT_EQ(show(*texts), (std::vector<std::string>{"[short,null,a text of more than twelve bytes]", "null"}));
  const auto wide = read({array_of_bytes({std::string("\x01\x00", 2), std::nullopt})}, array(DataType::decimal(38, 0)));
  EXPECT_EQ(show(*wide)[0], "[256,null]");
}

TEST(UnsafeValues, ReadStructsMapsAndWhatIsNestedInThem) {
  const DataType inner =
      DataType::structure({{"n", DataType(TypeId::Long), true}, {"t", DataType(TypeId::String), true}});
  const auto row = [](int64_t number, const std::string& text) {
    return word(0) + word(number) + word(static_cast<int64_t>(24UL << 32 | text.size())) + padded(text);
  };
  const std::string null_member = word(2) + word(4) + word(0);
  EXPECT_EQ(show(*read({row(3, "x"), null_member, std::nullopt}, inner)),
            (std::vector<std::string>{"(3,x)", "(4,null)", "null"}));
  EXPECT_EQ(show(*read({array_of_bytes({row(1, "a longer text than a view has"), std::nullopt})}, array(inner)))[0],
            "[(1,a longer text than a view has),null]");
  const DataType map = DataType::map(DataType(TypeId::String), array(DataType(TypeId::Int)), true);
  const std::string values = array_of_bytes({array_of<int32_t>({1, 2}), std::nullopt});
  EXPECT_EQ(show(*read({map_of(array_of_bytes({"k", "l"}), values), std::nullopt}, map)),
            (std::vector<std::string>{"{k:[1,2],l:null}", "null"}));
}

TEST(UnsafeValues, RefuseValuesThatReachBeyondTheirBytes) {
  const std::string whole = array_of_bytes({"a text of more than twelve bytes", "b"});
  for (size_t length = 0; length < whole.size() - 8; ++length) {
    EXPECT_THROW(read({whole.substr(0, length)}, array(DataType(TypeId::String))), Error) << length;
  }
  EXPECT_THROW(read({word(int64_t{1} << 60) + word(0)}, array(DataType(TypeId::Long))), Error);
  EXPECT_THROW(read({word(0) + word(1)},
                    DataType::structure({{"a", DataType(TypeId::Long), true}, {"b", DataType(TypeId::Long), true}})),
               Error);
  const DataType map = DataType::map(DataType(TypeId::Int), DataType(TypeId::Int), true);
  EXPECT_THROW(read({word(1000) + array_of<int32_t>({1})}, map), Error);
  EXPECT_THROW(read({map_of(array_of<int32_t>({1, 2}), array_of<int32_t>({1}))}, map), Error);
}

}  // namespace

}  // namespace accelerant::io
