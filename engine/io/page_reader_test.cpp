#include "io/page_reader.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/test_compact_writer.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using parquet::Compression;
using test::CompactWriter;

/// What a header says of a page.
struct Said {
  int type = PageHeader::kData;
  int64_t uncompressed_bytes = 0;
  int64_t compressed_bytes = 0;
  bool is_compressed = true;
  int64_t definition_bytes = 0;
};

std::string header_of(const Said& said) {
  CompactWriter typed;
  typed.number(1, 7);
  if (said.type == PageHeader::kDataV2) {
    typed.number(2, 1).number(3, 7).number(4, 0).number(5, said.definition_bytes).number(6, 0);
    typed.field(7, said.is_compressed ? 1 : 2);
  } else {
    typed.number(2, 0).number(3, 3).number(4, 3);
    // Statistics: two byte arrays, a list of structs of later versions, and a number.
    typed.field(5, 12).raw(CompactWriter()
                               .field(1, 8)
                               .raw("\x03"
                                    "abc")
                               .field(2, 8)
                               .raw(std::string(1, '\0'))
                               .field(3, 9)
                               .raw("\x2c")
                               .raw(CompactWriter().number(1, 2).end())
                               .raw(CompactWriter().number(9, -5).end())
                               .number(4, 9)
                               .end());
  }
  CompactWriter header;
  header.number(1, said.type).number(2, said.uncompressed_bytes).number(3, said.compressed_bytes).number(4, -77);
  return header.field(said.type == PageHeader::kDataV2 ? 8 : 5, 12).raw(typed.end()).end();
}

/// A chunk and the reader of its pages.
struct Chunk {
  std::string padded;
  std::shared_ptr<memory::Budget> budget = std::make_shared<memory::Budget>("chunk", 1 << 20);
  PageReader reader;

  explicit Chunk(const std::string& bytes, Compression::type codec = Compression::UNCOMPRESSED)
      : padded(bytes + std::string(64, '\x5a')),
        reader(reinterpret_cast<const uint8_t*>(padded.data()), static_cast<int64_t>(bytes.size()), codec, false,
               budget) {}
};

std::string text_of(const PageBody& body) {
  return {reinterpret_cast<const char*>(body.data), static_cast<size_t>(body.num_bytes)};
}

TEST(PageReader, ReadsHeadersAndPassesOverWhatItDoesNotKnow) {
  const std::string header = header_of({PageHeader::kData, 5, 5});
  Chunk chunk(header + "hello" + header + "world");
  const PageHeader& first = chunk.reader.next();
  EXPECT_EQ(first.type, PageHeader::kData);
  EXPECT_EQ(first.num_values, 7);
  EXPECT_EQ(first.encoding, 0);
  EXPECT_EQ(first.level_encoding, 3);
  chunk.reader.next();
  EXPECT_EQ(chunk.reader.page_number(), 1);
  EXPECT_EQ(text_of(chunk.reader.body()), "world");
  EXPECT_THROW(chunk.reader.next(), Error);
}

TEST(PageReader, ReadsLevelsBesideCompressedValues) {
  const auto codec = parquet::GetCodec(Compression::SNAPPY);
  const std::string values(1000, 'v');
  std::string compressed(static_cast<size_t>(codec->MaxCompressedLen(1000, nullptr)), '\0');
  const int64_t num_bytes =
      *codec->Compress(1000, reinterpret_cast<const uint8_t*>(values.data()), static_cast<int64_t>(compressed.size()),
                       reinterpret_cast<uint8_t*>(compressed.data()));
  compressed.resize(static_cast<size_t>(num_bytes));
  Said said{PageHeader::kDataV2, 1003, num_bytes + 3, true, 3};
  Chunk chunk(header_of(said) + "lev" + compressed, Compression::SNAPPY);
  chunk.reader.next();
  const PageBody body = chunk.reader.body();
  EXPECT_EQ(text_of(body), values);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(body.definition_levels), 3), "lev");
  EXPECT_EQ(body.definition_bytes, 3);
  said = {PageHeader::kDataV2, 8, 8, false, 3};
  Chunk stored(header_of(said) + "levvalue", Compression::SNAPPY);
  stored.reader.next();
  EXPECT_EQ(text_of(stored.reader.body()), "value");
}

TEST(PageReader, RefusesSizesThatCanNotBe) {
  const auto refuses = [](const Said& said, Compression::type codec) {
    Chunk chunk(header_of(said) + "0123456789", codec);
    const auto read = [&] {
      chunk.reader.next();
      chunk.reader.body();
    };
    EXPECT_THROW(read(), Error);
    EXPECT_LE(chunk.budget->peak_bytes(), 64 << 10);
  };
  refuses({PageHeader::kData, 11, 11}, Compression::UNCOMPRESSED);
  refuses({PageHeader::kData, 9, 10}, Compression::UNCOMPRESSED);
  refuses({PageHeader::kData, -1, 10}, Compression::UNCOMPRESSED);
  refuses({PageHeader::kData, 10, INT32_MAX}, Compression::UNCOMPRESSED);
  refuses({PageHeader::kData, int64_t{1} << 33, 10}, Compression::UNCOMPRESSED);
  for (const auto codec :
       {Compression::SNAPPY, Compression::LZ4, Compression::LZ4_HADOOP, Compression::GZIP, Compression::ZSTD}) {
    refuses({PageHeader::kData, 900'000, 10}, codec);
    refuses({PageHeader::kData, 100, 10}, codec);
  }
  refuses({PageHeader::kDataV2, 10, 10, false, 11}, Compression::UNCOMPRESSED);
  refuses({PageHeader::kDataV2, 10, 10, false, -1}, Compression::UNCOMPRESSED);
  refuses({PageHeader::kIndex + 90, 10, 11}, Compression::UNCOMPRESSED);
}

TEST(PageReader, TakesNoMemoryForWhatAFrameCannotHold) {
  const auto codec = parquet::GetCodec(Compression::ZSTD);
  const std::string values(1000, 'v');
  std::string compressed(static_cast<size_t>(codec->MaxCompressedLen(1000, nullptr)), '\0');
  compressed.resize(static_cast<size_t>(*codec->Compress(1000, reinterpret_cast<const uint8_t*>(values.data()),
                                                         static_cast<int64_t>(compressed.size()),
                                                         reinterpret_cast<uint8_t*>(compressed.data()))));
  const auto num_bytes = static_cast<int64_t>(compressed.size());
  Chunk chunk(header_of({PageHeader::kData, 900'000'000, num_bytes}) + compressed, Compression::ZSTD);
  chunk.reader.next();
  EXPECT_THROW(chunk.reader.body(), Error);
  EXPECT_LE(chunk.budget->peak_bytes(), 64 << 10);
  Chunk right(header_of({PageHeader::kData, 1000, num_bytes}) + compressed, Compression::ZSTD);
  right.reader.next();
  EXPECT_EQ(text_of(right.reader.body()), values);
}

TEST(PageReader, SurvivesDamagedHeaders) {
  std::mt19937 random(11);
  const std::string header = header_of({PageHeader::kDataV2, 20, 20, false, 3}) + std::string(20, 'x');
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = header;
    for (size_t i = 0; i < 1 + random() % 3; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    damaged.resize(random() % (damaged.size() + 1));
    Chunk chunk(damaged);
    try {
      for (;;) {
        if (chunk.reader.next().is_data()) chunk.reader.body();
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Resource);
    }
  }
}

/// Found by page_header_fuzz: ids were added up without an end.
TEST(PageReader, RefusesIdsOfMoreThanSixteenBits) {
  const std::string last("\x01\xfe\xff\x03", 4);                    // field 32767 says true
  const std::string one_more("\x11", 1);                            // so does the field after it
  const std::string header("\x05\x02\x02\x15\x0a\x15\x0a\x00", 8);  // fields 1, 2 and 3: an index page of 5 bytes
  Chunk whole(last + header + "hello");
  EXPECT_EQ(whole.reader.next().type, PageHeader::kIndex);
  Chunk chunk(last + one_more + header + "hello");
  EXPECT_THROW(chunk.reader.next(), Error);
}

TEST(PageReader, DoesNotFollowStructsToAnyDepth) {
  const std::string deep = std::string(100'000, '\x1c');  // field 1, a struct, in field 1, a struct, …
  Chunk chunk("\x9c" + deep);
  EXPECT_THROW(chunk.reader.next(), Error);
}

}  // namespace
}  // namespace accelerant::io
