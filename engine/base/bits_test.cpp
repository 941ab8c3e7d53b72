#include "base/bits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace accelerant::bits {

namespace {

TEST(Bits, PackLooksAtTheLowestBitOfEachByteAlone) {
  for (const int64_t length : {1, 7, 8, 9, 64, 67}) {
    std::vector<uint8_t> bytes(static_cast<size_t>(length));
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37);
    std::vector<uint8_t> packed(static_cast<size_t>(bytes_for(length)));
    pack(bytes.data(), length, packed.data());
    for (int64_t i = 0; i < length; ++i) EXPECT_EQ(get(packed.data(), i), i % 2 == 1) << i << " of " << length;
  }
}

}  // namespace

}  // namespace accelerant::bits
