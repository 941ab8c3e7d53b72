#include "io/packed_integers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace accelerant::io {
namespace {

/// Returns integers of `bit_width` bits one behind the other, and some bytes that are none of theirs.
std::vector<uint8_t> packed(const std::vector<uint64_t>& integers, int bit_width) {
  std::vector<uint8_t> bytes(integers.size() * static_cast<size_t>(bit_width) / 8 + 8, 0xa5);
  for (size_t i = 0; i < integers.size(); ++i) {
    for (size_t bit = 0; bit < static_cast<size_t>(bit_width); ++bit) {
      const size_t at = i * static_cast<size_t>(bit_width) + bit;
      const auto mask = static_cast<uint8_t>(1u << (at % 8));
      bytes[at / 8] = static_cast<uint8_t>((bytes[at / 8] & ~mask) | ((integers[i] >> bit & 1) != 0 ? mask : 0));
    }
  }
  return bytes;
}

template <class Integer>
void expect_unpacked(int most_bits) {
  std::mt19937_64 random(7);
  for (int bit_width = 0; bit_width <= most_bits; ++bit_width) {
    std::vector<uint64_t> integers(40);
    for (uint64_t& integer : integers) integer = bit_width == 0 ? 0 : random() >> (64 - bit_width);
    const std::vector<uint8_t> bytes = packed(integers, bit_width);
    std::vector<Integer> found(integers.size());
    unpack_groups(bytes.data(), bit_width, 5, found.data());
    EXPECT_EQ(std::vector<uint64_t>(found.begin(), found.end()), integers) << bit_width;
    found.resize(19);
    unpack_from(bytes.data(), bit_width, 11, 19, found.data());
    EXPECT_EQ(std::vector<uint64_t>(found.begin(), found.end()),
              std::vector<uint64_t>(integers.begin() + 11, integers.begin() + 30))
        << bit_width;
  }
}

TEST(PackedIntegers, BecomeBytes) { expect_unpacked<uint8_t>(8); }
TEST(PackedIntegers, BecomeWords) { expect_unpacked<uint32_t>(32); }
TEST(PackedIntegers, BecomeLongWords) { expect_unpacked<uint64>(64); }

}  // namespace
}  // namespace accelerant::io
