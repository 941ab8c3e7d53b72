#include "io/orc_integers.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/hybrid_calendar.h"
#include "io/orc_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace accelerant::io {
namespace {

using columns::test::unlimited;

OrcBytes bytes_of(const std::vector<uint8_t>& bytes, OrcCompression compression = OrcCompression::None,
                  int64_t block_bytes = 1024, const std::shared_ptr<memory::Budget>& budget = unlimited()) {
  const auto buffer = memory::Buffer::allocate(static_cast<int64_t>(bytes.size()), unlimited());
  std::ranges::copy(bytes, buffer->mutable_data());
  const auto codec = std::make_shared<OrcCodec>(compression, block_bytes);
  return {codec, buffer, {buffer->data(), bytes.size()}, budget};
}

std::vector<int64_t> decode(const std::vector<uint8_t>& bytes, size_t n, bool is_signed,
                            bool is_second_version = true) {
  std::vector<int64_t> values(n);
  OrcIntegers(bytes_of(bytes), is_signed, is_second_version).read(static_cast<int64_t>(n), values.data());
  return values;
}

// The examples of the ORC specification.
TEST(OrcIntegers, ReadsTheRunsOfTheSpecification) {
  EXPECT_EQ(decode({0x0a, 0x27, 0x10}, 5, false), (std::vector<int64_t>{10000, 10000, 10000, 10000, 10000}));
  EXPECT_EQ(decode({0x5e, 0x03, 0x5c, 0xa1, 0xab, 0x1e, 0xde, 0xad, 0xbe, 0xef}, 4, false),
            (std::vector<int64_t>{23713, 43806, 57005, 48879}));
  EXPECT_EQ(decode({0x8e, 0x13, 0x2b, 0x21, 0x07, 0xd0, 0x1e, 0x00, 0x14, 0x70, 0x28, 0x32, 0x3c, 0x46,
                    0x50, 0x5a, 0x64, 0x6e, 0x78, 0x82, 0x8c, 0x96, 0xa0, 0xaa, 0xb4, 0xbe, 0xfc, 0xe8},
                   20, false),
            (std::vector<int64_t>{2030, 2000, 2020, 1000000, 2040, 2050, 2060, 2070, 2080, 2090,
                                  2100, 2110, 2120, 2130,    2140, 2150, 2160, 2170, 2180, 2190}));
  EXPECT_EQ(decode({0xc6, 0x09, 0x02, 0x02, 0x22, 0x42, 0x42, 0x46}, 10, false),
            (std::vector<int64_t>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29}));
  EXPECT_EQ(decode({0x61, 0x00, 0x07}, 5, false, false), (std::vector<int64_t>{7, 7, 7, 7, 7}));
  EXPECT_EQ(decode({0xfb, 0x02, 0x03, 0x06, 0x07, 0x0b}, 5, false, false), (std::vector<int64_t>{2, 3, 6, 7, 11}));
}

TEST(OrcIntegers, RefusesRunsThatEndTooEarly) {
  for (const std::vector<uint8_t>& bytes : {std::vector<uint8_t>{},
                                            {0x0a},
                                            {0x5e, 0x03, 0x5c},
                                            {0x8e, 0x13, 0x2b},
                                            {0xc6, 0x09, 0x02, 0x02},
                                            {0xc6, 0x00, 0x02, 0x02}}) {
    EXPECT_THROW(decode(bytes, 1, false), Error);
  }
}

/// A run of eight values of three bits, 0 to 7, above a base of 100, with patches of four bits behind gaps of two.
std::vector<uint8_t> patched(std::vector<uint8_t> patches) {
  const auto num_patches = static_cast<uint8_t>(patches.size());
  std::vector<uint8_t> run = {0x84, 7, 3, static_cast<uint8_t>(0x20 | num_patches), 100, 0x05, 0x39, 0x77};
  // A patch takes six bits.
  uint32_t bits = 0;
  for (const uint8_t patch : patches) bits = bits << 6 | patch;
  bits <<= 32 - 6 * patches.size();
  for (int i = 3; i >= 0; --i) run.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  return run;
}

TEST(OrcIntegers, RefusesPatchesThatJavaReadsDifferently) {
  const auto patch = [](int gap, int value) { return static_cast<uint8_t>(gap << 4 | value); };
  EXPECT_EQ(decode(patched({patch(0, 1), patch(2, 2)}), 8, true),
            (std::vector<int64_t>{108, 101, 118, 103, 104, 105, 106, 107}));
  EXPECT_THROW(decode(patched({patch(2, 1), patch(0, 2)}), 8, true), Error);
  EXPECT_THROW(decode(patched({patch(3, 1), patch(3, 1), patch(3, 1)}), 8, true), Error);
}

TEST(OrcIntegers, CountsNoMoreThanANumberHolds) {
  const std::vector<uint8_t> heads(64 * 3, 0);
  const OrcIntegers values(bytes_of(heads, OrcCompression::Snappy, int64_t{1} << 50), false, true);
  EXPECT_EQ(values.most_left(), std::numeric_limits<int64_t>::max());
}

/// Returns bytes 0, 1, … in chunks of so many, each stored as it is.
std::vector<uint8_t> chunks(int num_bytes, size_t chunk_bytes) {
  std::vector<uint8_t> stored;
  for (int i = 0; i < num_bytes; ++i) {
    if (i % static_cast<int>(chunk_bytes) == 0) {
      const size_t length = std::min(chunk_bytes, static_cast<size_t>(num_bytes - i));
      stored.insert(stored.end(), {static_cast<uint8_t>(length << 1 | 1), 0, 0});
    }
    stored.push_back(static_cast<uint8_t>(i));
  }
  return stored;
}

TEST(OrcBytes, PutsChunksTogether) {
  constexpr int kBytes = 3000;
  for (const size_t chunk_bytes : {1, 2, 7, 64}) {
    OrcBytes bytes = bytes_of(chunks(kBytes, chunk_bytes), OrcCompression::Snappy, 64);
    int next = 0;
    // Some of the bytes are asked for again and again, so that what is left moves.
    for (const int64_t n : {1, 100, 3, 64, 65, 700, 2, 500}) {
      bytes.ensure(n);
      ASSERT_GE(bytes.end() - bytes.data(), n);
      const uint8_t* to = bytes.data() + n / 2;
      for (const uint8_t* at = bytes.data(); at != to; ++at) ASSERT_EQ(*at, static_cast<uint8_t>(next++));
      bytes.pass_to(to);
    }
    for (const uint8_t byte : bytes.read_all()) ASSERT_EQ(byte, static_cast<uint8_t>(next++));
    EXPECT_EQ(next, kBytes);
  }
}

TEST(OrcBytes, MovesWhatIsLeftSeldom) {
  constexpr int kBytes = 100'000;
  const auto budget = std::make_shared<memory::Budget>("OrcBytes", 1 << 20);
  OrcBytes bytes = bytes_of(chunks(kBytes, 1), OrcCompression::Snappy, 64, budget);
  bytes.ensure(1);
  int moves = 0;
  for (int n = 2; n <= kBytes; ++n) {
    const uint8_t* before = bytes.data();
    bytes.ensure(n);
    moves += bytes.data() != before;
  }
  EXPECT_LT(moves, 20);
}

TEST(OrcBits, ReadsAcrossBytes) {
  OrcBits bits(bytes_of({0xfe, 0b1010'0110, 0b1100'0000}));
  uint8_t values[12];
  bits.read(3, values);
  bits.read(9, values + 3);
  EXPECT_EQ(std::vector<uint8_t>(values, values + 12), (std::vector<uint8_t>{1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0}));
}

TEST(HybridCalendar, CountsJulianDaysBefore1582) {
  EXPECT_EQ(day_of_hybrid(kFirstGregorianDay), kFirstGregorianDay);
  EXPECT_EQ(day_of_hybrid(kFirstGregorianDay - 1), kFirstGregorianDay - 11);  // 1582-10-04
  EXPECT_EQ(day_of_hybrid(-719'164), -719'162);                               // 0001-01-01
  EXPECT_EQ(day_of_hybrid(-171'597), -171'606);                               // 1500-02-28
  EXPECT_EQ(day_of_hybrid(-171'596), -171'605);                               // 1500-02-29, which is 03-01 today
  EXPECT_EQ(day_of_hybrid(-171'595), -171'605);                               // 1500-03-01
}

}  // namespace
}  // namespace accelerant::io
