#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace arrow::util {
class Codec;
class Decompressor;
}  // namespace arrow::util

namespace accelerant::io {

/// How an ORC file is compressed; the numbers are the format's.
enum class OrcCompression : uint8_t { None = 0, Zlib = 1, Snappy = 2, Lzo = 3, Lz4 = 4, Zstd = 5, Brotli = 6 };

/// Decompresses chunks of an ORC file. One thread at a time.
class OrcCodec {
 public:
  /// @param block_bytes the most bytes that a chunk stands for
  /// @throws Error Unsupported where there is no such codec
  OrcCodec(OrcCompression compression, int64_t block_bytes);
  ~OrcCodec();

  bool compresses() const { return compression_ != OrcCompression::None; }
  int64_t block_bytes() const { return block_bytes_; }
  /// Decompresses a chunk to `to`, which has room for `block_bytes`, and returns how many bytes it stands for.
  /// @throws Error Resource where it is corrupt
  int64_t decompress(std::span<const uint8_t> chunk, uint8_t* to);

 private:
  int64_t decompress_frame(std::span<const uint8_t> chunk, uint8_t* to);

  const OrcCompression compression_;
  const int64_t block_bytes_;
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::util::Decompressor> frames_;  ///< of ZSTD, whose chunks need not say how much they stand for
};

}  // namespace accelerant::io
