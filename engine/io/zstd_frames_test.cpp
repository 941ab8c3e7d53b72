#include "io/zstd_frames.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace accelerant::io {
namespace {

constexpr int64_t kBlock = 128 * 1024;

std::string compress(const std::string& text) {
  const auto codec = arrow::util::Codec::Create(arrow::Compression::ZSTD).ValueOrDie();
  const auto length = static_cast<int64_t>(text.size());
  std::string bytes(static_cast<size_t>(codec->MaxCompressedLen(length, nullptr)), '\0');
  bytes.resize(static_cast<size_t>(*codec->Compress(length, reinterpret_cast<const uint8_t*>(text.data()),
                                                    static_cast<int64_t>(bytes.size()),
                                                    reinterpret_cast<uint8_t*>(bytes.data()))));
  return bytes;
}

std::optional<int64_t> largest(const std::string& bytes) {
  return largest_zstd_content({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

TEST(ZstdFrames, HoldNoMoreThanTheirBlocks) {
  std::mt19937 random(5);
  for (const size_t length : {size_t{0}, size_t{1}, size_t{200}, size_t{5000}, size_t{131072}, size_t{400'000}}) {
    std::string text(length, 'x');
    const int64_t blocks = std::max<int64_t>(1, (static_cast<int64_t>(length) + kBlock - 1) / kBlock);
    EXPECT_GE(largest(compress(text)), static_cast<int64_t>(length));
    EXPECT_LE(largest(compress(text)), blocks * kBlock);
    for (char& c : text) c = static_cast<char>(random());
    EXPECT_EQ(largest(compress(text)), static_cast<int64_t>(length)) << "stored as it is";
  }
}

TEST(ZstdFrames, AddUp) {
  const std::string frame = compress("hello");
  const std::string skipped("\x5a\x2a\x4d\x18\x02\0\0\0zz", 10);
  EXPECT_EQ(largest(frame + skipped + frame), 10);
  EXPECT_EQ(largest(""), 0);
}

TEST(ZstdFrames, AreReadToTheirEndsOnly) {
  const std::string frames = compress(std::string(300'000, 'x')) + compress("hello");
  int num_whole = 0;
  for (size_t length = 0; length < frames.size(); ++length) {
    num_whole += largest(std::string(frames.data(), length)).has_value();
  }
  EXPECT_EQ(num_whole, 2) << "nothing, and the first frame";
  EXPECT_FALSE(largest("no frame at all"));
}

}  // namespace
}  // namespace accelerant::io
