#include "io/page_values.h"

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
using types::DataType;
using types::TypeId;

FileColumn long_column() {
  FileColumn column;
  column.type = DataType(TypeId::Long);
  column.leaf = 0;
  column.kind = ValueKind::Int64ToInt64;
  return column;
}

PageHeader header_of(parquet::Encoding::type encoding) {
  PageHeader header;
  header.type = PageHeader::kData;
  header.num_values = 3;
  header.encoding = encoding;
  return header;
}

const uint8_t* bytes_of(const std::string& text) { return reinterpret_cast<const uint8_t*>(text.data()); }

/// The header of a dictionary page of the numbers 10, 20, 30, and the page, in a chunk without other pages.
struct Dictionary {
  std::string bytes = std::string("\x15\x04\x15\x30\x15\x30\x4c\x15\x06\x15\x00\x00\x00", 13);

  Dictionary() {
    for (const int64_t number : {10, 20, 30}) bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    bytes += std::string(64, '\x5a');
  }
  PageReader pages() const {
    return {bytes_of(bytes), static_cast<int64_t>(bytes.size()) - 64, parquet::Compression::UNCOMPRESSED, false,
            unlimited()};
  }
};

std::vector<int64_t> read(PageValues& values, int64_t n) {
  std::vector<int64_t> numbers(static_cast<size_t>(n));
  std::vector<memory::BufferPtr> heap;
  values.read(n, {reinterpret_cast<uint8_t*>(numbers.data()), heap});
  return numbers;
}

TEST(PageValues, LooksUpCodesAndReadsOtherPages) {
  const FileColumn column = long_column();
  PageValues values(column, unlimited());
  EXPECT_EQ(values.dictionary(), nullptr);
  const Dictionary dictionary;
  PageReader pages = dictionary.pages();
  values.read_dictionary(pages.next(), pages);
  EXPECT_EQ(columns::test::show(*values.dictionary()), (std::vector<std::string>{"10", "20", "30"}));
  RunWriter codes(2);
  codes.pack({2, 0, 1, 1, 2, 2, 0, 3});
  const std::string coded = "\x02" + codes.padded();
  values.start_page(header_of(parquet::Encoding::RLE_DICTIONARY), bytes_of(coded), codes.num_bytes() + 1);
  EXPECT_TRUE(values.is_coded());
  EXPECT_EQ(read(values, 2), (std::vector<int64_t>{30, 10}));
  values.skip(1);
  std::vector<int64_t> some(2);
  std::vector<memory::BufferPtr> heap;
  values.read_at(std::vector<int32_t>{0, 2}, 3, {reinterpret_cast<uint8_t*>(some.data()), heap});
  EXPECT_EQ(some, (std::vector<int64_t>{20, 30}));
  EXPECT_THROW(read(values, 2), Error);
  const int64_t number = 7;
  std::string plain(reinterpret_cast<const char*>(&number), sizeof number);
  plain += std::string(64, '\x5a');
  values.start_page(header_of(parquet::Encoding::PLAIN), bytes_of(plain), 8);
  EXPECT_FALSE(values.is_coded());
  EXPECT_EQ(read(values, 1), std::vector<int64_t>{7});
}

TEST(PageValues, TakesPagesWithoutValues) {
  using parquet::Encoding;
  const FileColumn column = long_column();
  PageValues values(column, unlimited());
  const std::string nothing(64, '\x5a');
  for (const auto encoding : {Encoding::PLAIN, Encoding::DELTA_BINARY_PACKED, Encoding::BYTE_STREAM_SPLIT}) {
    values.start_page(header_of(encoding), bytes_of(nothing), 0);
    EXPECT_TRUE(read(values, 0).empty());
    EXPECT_THROW(read(values, 1), Error);
  }
  EXPECT_THROW(values.start_page(header_of(Encoding::RLE_DICTIONARY), bytes_of(nothing), 0), Error);
}

}  // namespace
}  // namespace accelerant::io
