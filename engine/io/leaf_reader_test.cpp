#include "io/leaf_reader.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "device/primitives/test_runs.h"
#include "io/test_compact_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;
using device::RunWriter;
using test::CompactWriter;
using types::DataType;
using types::TypeId;

using Lists = std::vector<std::string>;
using Rows = std::vector<int32_t>;

/// The numbers from 0 on in eight lists, some of which go on from page to page, as repetition levels tell.
const std::vector<std::vector<uint32_t>> kPages = {
    {0, 1, 1, 0, 1, 0, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 0, 0, 1, 1, 0, 1, 1}};
constexpr int64_t kPageEntries = 8;
constexpr int64_t kNumRows = 8;

std::string text_of(const RunWriter& runs) {
  const std::vector<uint8_t> bytes = runs.bytes();
  return {bytes.begin(), bytes.end()};
}

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// Returns a page of the numbers from one on. A header of version 2 says that each entry is a row.
std::string page_of(bool is_v2, const std::vector<uint32_t>& levels, int64_t number) {
  RunWriter repetitions(1);
  repetitions.pack(levels);
  RunWriter definitions(1);
  definitions.repeat(1, levels.size());
  std::string body;
  for (const RunWriter* runs : {&repetitions, &definitions}) {
    if (!is_v2) body += bytes_of(static_cast<uint32_t>(runs->num_bytes()));
    body += text_of(*runs);
  }
  for (size_t i = 0; i < levels.size(); ++i) body += bytes_of(number++);
  CompactWriter typed;
  const auto num_entries = static_cast<int64_t>(levels.size());
  if (is_v2) {
    typed.number(1, num_entries).number(2, 0).number(3, num_entries).number(4, parquet::Encoding::PLAIN);
    typed.number(5, definitions.num_bytes()).number(6, repetitions.num_bytes()).field(7, 2);
  } else {
    typed.number(1, num_entries).number(2, parquet::Encoding::PLAIN);
    typed.number(3, parquet::Encoding::RLE).number(4, parquet::Encoding::RLE);
  }
  const auto num_bytes = static_cast<int64_t>(body.size());
  CompactWriter header;
  header.number(1, is_v2 ? PageHeader::kDataV2 : PageHeader::kData).number(2, num_bytes).number(3, num_bytes);
  return header.field(is_v2 ? 8 : 5, 12).raw(typed.end()).end() + body;
}

std::string pages_of(bool is_v2) {
  std::string bytes;
  for (size_t i = 0; i < kPages.size(); ++i) {
    bytes += page_of(is_v2, kPages[i], static_cast<int64_t>(i) * kPageEntries);
  }
  return bytes;
}

/// The leaf of lists of numbers that are never null.
NestedLeaf leaf_of_numbers() {
  NestedLeaf leaf{{"c.list.element", DataType(TypeId::Long)}, 1, 1, 1, true};
  leaf.column.leaf = 0;
  leaf.column.kind = ValueKind::Int64ToInt64;
  return leaf;
}

/// A chunk and the reader of its rows.
struct Chunk {
  NestedLeaf leaf = leaf_of_numbers();
  LeafReader reader;

  explicit Chunk(const std::string& bytes) : reader(leaf, source_of(leaf, bytes), unlimited()) {}

  static ChunkSource source_of(const NestedLeaf& leaf, const std::string& bytes) {
    const auto num_bytes = static_cast<int64_t>(bytes.size());
    const auto buffer = memory::Buffer::allocate(num_bytes, unlimited());
    std::ranges::copy(bytes, reinterpret_cast<char*>(buffer->mutable_data()));
    const auto num_entries = static_cast<int64_t>(kPages.size()) * kPageEntries;
    return {&leaf.column, buffer, 0, num_bytes, kNumRows, parquet::Compression::UNCOMPRESSED, false, {}, num_entries};
  }
};

Lists lists_of(const LeafRows& rows) {
  Lists lists;
  for (int64_t i = 0; i < rows.num_entries; ++i) {
    if (rows.repetitions[i] == 0 || lists.empty()) lists.emplace_back();
    lists.back() += std::to_string(rows.values->values<int64_t>()[i]) + " ";
  }
  return lists;
}

/// Returns the list of each row.
Lists all_lists() {
  Lists lists;
  int64_t number = 0;
  for (const auto& levels : kPages) {
    for (const uint32_t level : levels) {
      if (level == 0) lists.emplace_back();
      lists.back() += std::to_string(number++) + " ";
    }
  }
  return lists;
}

TEST(LeafReader, ReadsRowsThatGoOnInOtherPages) {
  const Lists all = all_lists();
  ASSERT_EQ(all.size(), static_cast<size_t>(kNumRows));
  for (const bool is_v2 : {false, true}) {
    for (int64_t first = 0; first < kNumRows; ++first) {
      for (int64_t n = 1; first + n <= kNumRows; ++n) {
        Chunk chunk(pages_of(is_v2));
        chunk.reader.skip(first);
        EXPECT_EQ(lists_of(chunk.reader.read(n)), Lists(all.begin() + first, all.begin() + first + n));
        const int64_t left = kNumRows - first - n;
        if (left == 0) continue;
        chunk.reader.skip(left - 1);
        EXPECT_EQ(lists_of(chunk.reader.read(1)), Lists{all.back()});
      }
    }
  }
}

TEST(LeafReader, ReadsAnyOfTheRowsThatGoOnInOtherPages) {
  const Lists all = all_lists();
  for (const bool is_v2 : {false, true}) {
    for (uint32_t set = 1; set < 1U << kNumRows; ++set) {
      Rows rows;
      Lists expected;
      for (int32_t row = 0; row < kNumRows; ++row) {
        if ((set >> row & 1) == 0) continue;
        rows.push_back(row);
        expected.push_back(all[static_cast<size_t>(row)]);
      }
      Chunk chunk(pages_of(is_v2));
      EXPECT_EQ(lists_of(chunk.reader.read_at(rows, kNumRows)), expected);
    }
  }
}

TEST(LeafReader, RefusesAChunkThatBeginsInARow) {
  for (const bool is_v2 : {false, true}) {
    Chunk chunk(page_of(is_v2, kPages[1], 0) + page_of(is_v2, kPages[2], 0));
    EXPECT_THROW(chunk.reader.read(1), Error);
  }
}

TEST(LeafReader, RefusesFewerRowsThanWanted) {
  for (const bool is_v2 : {false, true}) {
    Chunk chunk(pages_of(is_v2));
    EXPECT_THROW(chunk.reader.read(kNumRows + 1), Error);
    Chunk other(pages_of(is_v2));
    other.reader.skip(kNumRows);
    EXPECT_THROW(other.reader.read(1), Error);
  }
}

}  // namespace
}  // namespace accelerant::io
