#include "io/hadoop_lz4.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <parquet/types.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace accelerant::io {

namespace {

class Blocks {
 public:
  Blocks(std::span<const uint8_t> from, std::span<uint8_t> to)
      : from_(from), to_(to), codec_(parquet::GetCodec(parquet::Compression::LZ4)) {}

  bool decompress() {
    while (!from_.empty()) {
      if (!decompress_block()) return false;
    }
    return to_.empty();
  }

 private:
  bool decompress_block() {
    std::optional<uint32_t> left = take_number();
    while (left && *left > 0) {
      const std::optional<uint32_t> made = decompress_chunk(*left);
      // Chunks of nothing would never end a block.
      if (!made || *made == 0) return false;
      *left -= *made;
    }
    return left.has_value();
  }

  /// Returns how many bytes were made, no more than `most`.
  std::optional<uint32_t> decompress_chunk(uint32_t most) {
    const std::optional<uint32_t> length = take_number();
    if (!length || *length > from_.size()) return std::nullopt;
    const auto room = static_cast<int64_t>(std::min<size_t>(most, to_.size()));
    const auto made = codec_->Decompress(*length, from_.data(), room, to_.data());
    if (!made.ok()) return std::nullopt;
    from_ = from_.subspan(*length);
    to_ = to_.subspan(static_cast<size_t>(*made));
    return static_cast<uint32_t>(*made);
  }

  std::optional<uint32_t> take_number() {
    uint32_t number;
    if (from_.size() < sizeof number) return std::nullopt;
    std::memcpy(&number, from_.data(), sizeof number);
    from_ = from_.subspan(sizeof number);
    return __builtin_bswap32(number);
  }

  std::span<const uint8_t> from_;
  std::span<uint8_t> to_;
  const std::unique_ptr<parquet::Codec> codec_;
};

}  // namespace

bool decompress_hadoop_lz4(std::span<const uint8_t> from, std::span<uint8_t> to) {
  return Blocks(from, to).decompress();
}

}  // namespace accelerant::io
