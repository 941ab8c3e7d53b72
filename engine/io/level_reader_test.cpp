#include "io/level_reader.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "device/primitives/test_runs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;
using device::RunWriter;

/// A page with levels of at most 1 and 3.
struct Page {
  std::string bytes;
  PageHeader header;

  Page(const RunWriter& repetitions, const RunWriter& definitions) {
    for (const RunWriter* runs : {&repetitions, &definitions}) {
      const auto num_bytes = static_cast<uint32_t>(runs->num_bytes());
      bytes.append(reinterpret_cast<const char*>(&num_bytes), sizeof num_bytes);
      for (const uint8_t byte : runs->bytes()) bytes += static_cast<char>(byte);
    }
    header.type = PageHeader::kData;
    header.num_values = static_cast<int32_t>(repetitions.values().size());
    header.level_encoding = header.repetition_encoding = parquet::Encoding::RLE;
    bytes += "values" + std::string(64, '\x5a');
  }

  PageBody body() const {
    return {reinterpret_cast<const uint8_t*>(bytes.data()),
            static_cast<int64_t>(bytes.size()) - 64,
            nullptr,
            0,
            nullptr,
            0};
  }
};

std::string levels_of(const uint8_t* levels, int64_t n) {
  std::string text;
  for (int64_t i = 0; i < n; ++i) text += static_cast<char>('0' + levels[i]);
  return text;
}

/// Rows of 2, 1, 4 and 1 entries.
Page some_page() {
  RunWriter repetitions(1);
  repetitions.pack({0, 1, 0, 0, 1, 1, 1, 0});
  RunWriter definitions(2);
  definitions.repeat(3, 6);
  definitions.repeat(1, 2);
  return {repetitions, definitions};
}

TEST(LevelReader, TakesWholeRows) {
  const Page page = some_page();
  LevelReader reader(1, 3, unlimited());
  PageBody body = page.body();
  reader.start_page(page.header, body, true);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(body.data), static_cast<size_t>(body.num_bytes)), "values");
  int64_t rows = 2;
  EXPECT_EQ(reader.take(rows), 3);
  EXPECT_EQ(rows, 0);
  EXPECT_EQ(reader.take(rows), 0);
  EXPECT_EQ(levels_of(reader.repetitions(), 3), "010");
  EXPECT_EQ(levels_of(reader.definitions(), 3), "333");
  reader.forget();
  rows = 5;
  EXPECT_EQ(reader.take(rows), 5);
  EXPECT_EQ(rows, 3);
  EXPECT_TRUE(reader.page_is_done());
  EXPECT_EQ(levels_of(reader.repetitions(), reader.num_taken()), "01110");
  EXPECT_EQ(levels_of(reader.definitions(), reader.num_taken()), "33311");
}

TEST(LevelReader, GoesOnWithARowInTheNextPage) {
  const Page page = some_page();
  RunWriter repetitions(1);
  repetitions.repeat(1, 10'000);
  repetitions.repeat(0, 2);
  RunWriter definitions(2);
  definitions.repeat(2, 10'002);
  const Page second(repetitions, definitions);
  LevelReader reader(1, 3, unlimited());
  PageBody body = page.body();
  reader.start_page(page.header, body, true);
  int64_t rows = 4;
  EXPECT_EQ(reader.take(rows), 8);
  body = second.body();
  reader.start_page(second.header, body, false);
  int64_t taken = 0;
  while (const int64_t n = reader.take(rows)) taken += n;
  EXPECT_EQ(taken, 10'000);
  EXPECT_EQ(reader.num_taken(), 10'008);
  EXPECT_FALSE(reader.page_is_done());
  EXPECT_EQ(count_equal(reader.definitions(), 10'008, 2), 10'000);
  EXPECT_EQ(count_at_least(reader.definitions(), 10'008, 2), 10'006);
  body = second.body();
  LevelReader other(1, 3, unlimited());
  other.start_page(second.header, body, true);
  EXPECT_THROW(other.take(rows), Error);
}

TEST(LevelReader, RefusesLevelsThatCanNotBe) {
  RunWriter repetitions(1);
  repetitions.repeat(0, 8);
  RunWriter definitions(2);
  definitions.repeat(3, 8);
  const Page page(repetitions, definitions);
  const auto refusal = [&](const PageHeader& header, int definition) -> std::string {
    LevelReader reader(1, definition, unlimited());
    PageBody body = page.body();
    int64_t rows = 1;
    try {
      reader.start_page(header, body, true);
      reader.take(rows);
    } catch (const Error& error) {
      return error.message();
    }
    return "none";
  };
  EXPECT_EQ(refusal(page.header, 3), "none");
  EXPECT_EQ(refusal(page.header, 2), "a level is above the highest of its column");
  PageHeader header = page.header;
  header.num_values = 9;
  EXPECT_EQ(refusal(header, 3), "corrupt runs: they end too early");
  header = page.header;
  header.level_encoding = parquet::Encoding::BIT_PACKED;
  EXPECT_NE(refusal(header, 3).find("bit-packed levels"), std::string::npos);
  header.level_encoding = parquet::Encoding::PLAIN;
  EXPECT_EQ(refusal(header, 3), "levels that are not run-length encoded");
}

}  // namespace
}  // namespace accelerant::io
