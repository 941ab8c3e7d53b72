// Pages in the rarer encodings, written by Arrow's encoders, read in pieces of any size.

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/delta_decoder.h"
#include "io/encoded_bytes.h"
#include "io/encoded_numbers.h"
#include "io/packed_integers.h"

#include <arrow/buffer.h>
#include <gtest/gtest.h>
#include <parquet/encoding.h>
#include <parquet/schema.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using parquet::Encoding;
using types::StringRef;

/// A page with the padding that decoders may read.
struct Page {
  std::string padded;
  int64_t num_bytes;

  explicit Page(const std::string& bytes) : padded(bytes + std::string(64, '\x5a')), num_bytes(int64_t(bytes.size())) {}
  const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(padded.data()); }
};

template <class ParquetType>
Page encode(Encoding::type encoding, const std::vector<typename ParquetType::c_type>& values, int width = -1) {
  const auto node = parquet::schema::PrimitiveNode::Make("c", parquet::Repetition::REQUIRED, ParquetType::type_num,
                                                         parquet::ConvertedType::NONE, width);
  const parquet::ColumnDescriptor descriptor(node, 0, 0);
  const auto encoder = parquet::MakeTypedEncoder<ParquetType>(encoding, false, &descriptor);
  encoder->Put(values.data(), static_cast<int>(values.size()));
  return Page(encoder->FlushValues()->ToString());
}

/// Integers whose deltas take about `bits` bits.
std::vector<int64_t> some_integers(int bits, size_t n, std::mt19937_64& random) {
  std::vector<int64_t> integers(n);
  uint64_t last = random();
  for (auto& integer : integers) {
    last += bits == 0 ? 3 : random() >> (64 - bits);
    integer = static_cast<int64_t>(last);
  }
  return integers;
}

TEST(PackedIntegers, UnpackEveryWidth) {
  std::mt19937_64 random(3);
  for (int width = 0; width <= 64; ++width) {
    std::string bytes(static_cast<size_t>(width * 2 + 8), '\0');
    for (auto& byte : bytes) byte = static_cast<char>(random());
    uint64_t unpacked[16];
    unpack_groups(reinterpret_cast<const uint8_t*>(bytes.data()), width, 2, unpacked);
    for (int i = 0; i < 16; ++i) {
      uint64_t expected = 0;
      for (int bit = 0; bit < width; ++bit) {
        const auto place = static_cast<size_t>(i * width + bit);
        expected |= static_cast<uint64_t>((bytes[place / 8] >> (place % 8)) & 1) << bit;
      }
      ASSERT_EQ(unpacked[i], expected) << width;
    }
  }
}

TEST(DeltaDecoder, ReadsEveryWidthInPiecesOfAnySize) {
  std::mt19937_64 random(4);
  for (int bits = 0; bits <= 64; ++bits) {
    for (const size_t n : {size_t{1}, size_t{2}, size_t{129}, size_t{1000}}) {
      const auto integers = some_integers(bits, n, random);
      const Page page = encode<parquet::Int64Type>(Encoding::DELTA_BINARY_PACKED, integers);
      for (const size_t piece : {size_t{1}, size_t{7}, size_t{32}, size_t{300}}) {
        DeltaDecoder decoder;
        decoder.reset(page.data(), page.data() + page.num_bytes);
        ASSERT_EQ(decoder.num_left(), static_cast<int64_t>(n));
        std::vector<int64_t> read(n);
        for (size_t done = 0; done < n; done += piece) {
          ASSERT_EQ(decoder.find_end(), page.data() + page.num_bytes);
          decoder.read(static_cast<int64_t>(std::min(piece, n - done)), read.data() + done);
        }
        ASSERT_EQ(read, integers) << bits;
      }
    }
  }
}

TEST(DeltaDecoder, WrapsAroundAsIntegersOf32BitsDo) {
  const std::vector<int32_t> integers = {INT32_MAX, INT32_MIN, 0, INT32_MIN, INT32_MAX, -1, 1};
  const Page page = encode<parquet::Int32Type>(Encoding::DELTA_BINARY_PACKED, integers);
  EncodedNumbers<int32_t> numbers;
  numbers.start(Encoding::DELTA_BINARY_PACKED, page.data(), page.num_bytes);
  numbers.skip(1);
  std::vector<int32_t> read;
  numbers.read(6, [&](const int32_t* values, int64_t count) { read.insert(read.end(), values, values + count); });
  EXPECT_EQ(read, std::vector<int32_t>(integers.begin() + 1, integers.end()));
}

TEST(DeltaDecoder, RefusesWhatEndsTooEarly) {
  std::mt19937_64 random(5);
  const Page page = encode<parquet::Int64Type>(Encoding::DELTA_BINARY_PACKED, some_integers(9, 200, random));
  std::vector<int64_t> read(201);
  for (int64_t length = 0; length <= page.num_bytes; ++length) {
    DeltaDecoder decoder;
    const auto read_all = [&] {
      decoder.reset(page.data(), page.data() + length);
      decoder.read(201, read.data());
    };
    EXPECT_THROW(read_all(), Error);
  }
}

TEST(DeltaDecoder, RefusesImpossibleBlocks) {
  const auto reset = [](std::string header) {
    const Page page(header);
    DeltaDecoder().reset(page.data(), page.data() + page.num_bytes);
  };
  EXPECT_NO_THROW(reset({'\x08', '\x01', '\x00', '\x00'}));
  EXPECT_THROW(reset({'\x08', '\x00', '\x00', '\x00'}), Error);
  EXPECT_THROW(reset({'\x00', '\x01', '\x00', '\x00'}), Error);
  EXPECT_THROW(reset({'\x08', '\x03', '\x00', '\x00'}), Error);
  EXPECT_THROW(reset({'\x0c', '\x01', '\x00', '\x00'}), Error);
  EXPECT_THROW(reset(std::string("\x08\x01\xff\xff\xff\xff\x0f\x00", 8)), Error);
  EXPECT_THROW(reset(std::string(20, '\xff')), Error);
}

/// Texts that share much, little or nothing with the one before them, some of them empty.
std::vector<std::string> some_texts(size_t n) {
  std::mt19937 random(6);
  std::vector<std::string> texts;
  std::string text;
  for (size_t i = 0; i < n; ++i) {
    text.resize(random() % (text.size() + 1));
    for (size_t added = random() % 30; added > 0; --added) text += static_cast<char>('a' + random() % 26);
    texts.push_back(text);
  }
  return texts;
}

void expect_texts(const std::vector<std::string>& texts, Encoding::type encoding, const Page& page, int width) {
  for (const size_t piece : {size_t{1}, size_t{5}, size_t{256}}) {
    EncodedBytes bytes(width, columns::test::unlimited());
    bytes.start(encoding, page.data(), page.num_bytes);
    StringRef read[256];
    bool skips = false;
    for (size_t done = 0; done < texts.size(); done += piece, skips = !skips) {
      const size_t n = std::min(piece, texts.size() - done);
      if (skips) {
        bytes.skip(static_cast<int64_t>(n));
        continue;
      }
      bytes.read(static_cast<int64_t>(n), read);
      for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(std::string(read[i].data, static_cast<size_t>(read[i].length)), texts[done + i]) << done + i;
      }
    }
    EXPECT_THROW(bytes.read(1, read), Error);
  }
}

TEST(EncodedBytes, ReadAndSkipInPiecesOfAnySize) {
  const auto texts = some_texts(1500);
  std::vector<parquet::ByteArray> values;
  for (const auto& text : texts) {
    values.emplace_back(static_cast<uint32_t>(text.size()), reinterpret_cast<const uint8_t*>(text.data()));
  }
  for (const auto encoding : {Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY}) {
    expect_texts(texts, encoding, encode<parquet::ByteArrayType>(encoding, values), 0);
  }
}

TEST(EncodedBytes, ReadFixedWidths) {
  std::vector<std::string> texts = some_texts(700);
  std::vector<parquet::FixedLenByteArray> values;
  for (auto& text : texts) {
    text.resize(11, 'z');
    values.emplace_back(reinterpret_cast<const uint8_t*>(text.data()));
  }
  for (const auto encoding : {Encoding::BYTE_STREAM_SPLIT, Encoding::DELTA_BYTE_ARRAY}) {
    const Page page = encode<parquet::FLBAType>(encoding, values, 11);
    expect_texts(texts, encoding, page, 11);
  }
  EncodedBytes other(12, columns::test::unlimited());
  const Page page = encode<parquet::FLBAType>(Encoding::DELTA_BYTE_ARRAY, values, 11);
  other.start(Encoding::DELTA_BYTE_ARRAY, page.data(), page.num_bytes);
  StringRef read[1];
  EXPECT_THROW(other.read(1, read), Error);
}

TEST(EncodedBytes, AreChargedToTheirBudget) {
  const std::string text(1 << 20, 'x');
  const std::vector<parquet::ByteArray> values(200, {1 << 20, reinterpret_cast<const uint8_t*>(text.data())});
  const Page page = encode<parquet::ByteArrayType>(Encoding::DELTA_BYTE_ARRAY, values);
  ASSERT_LT(page.num_bytes, 2 << 20);
  const auto budget = std::make_shared<memory::Budget>("page", 16 << 20);
  EncodedBytes bytes(0, budget);
  bytes.start(Encoding::DELTA_BYTE_ARRAY, page.data(), page.num_bytes);
  StringRef read[200];
  EXPECT_NO_THROW(bytes.read(3, read));
  EXPECT_THROW(bytes.read(197, read), Error);
}

TEST(EncodedPages, RefuseEncodingsOfOtherTypes) {
  const Page page(std::string(16, '\0'));
  EncodedNumbers<double> doubles;
  EXPECT_THROW(doubles.start(Encoding::DELTA_BINARY_PACKED, page.data(), page.num_bytes), Error);
  EncodedBytes bytes(0, columns::test::unlimited());
  EXPECT_THROW(bytes.start(Encoding::BYTE_STREAM_SPLIT, page.data(), page.num_bytes), Error);
  EncodedBytes fixed(4, columns::test::unlimited());
  EXPECT_THROW(fixed.start(Encoding::DELTA_LENGTH_BYTE_ARRAY, page.data(), page.num_bytes), Error);
}

}  // namespace
}  // namespace accelerant::io
