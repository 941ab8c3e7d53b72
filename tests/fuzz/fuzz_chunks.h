#pragma once

#include "fuzz_columns.h"
#include "fuzz_input.h"
#include "io/chunk_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace accelerant::fuzz {

inline constexpr std::array kCodecs = {parquet::Compression::UNCOMPRESSED, parquet::Compression::SNAPPY,
                                       parquet::Compression::GZIP,         parquet::Compression::ZSTD,
                                       parquet::Compression::LZ4,          parquet::Compression::LZ4_HADOOP};

/// Takes what a footer says of a chunk; its bytes are still missing.
inline io::ChunkSource take_chunk(FuzzInput& input, const io::FileColumn& column) {
  const auto codec = kCodecs[input.choose(kCodecs.size())];
  const bool always_compressed = input.choose(16) == 0;
  const int64_t num_rows = input.take<uint16_t>() % 4096 + 1;
  return {&column, nullptr, 0, 0, num_rows, codec, always_compressed, {}};
}

/// Gives a chunk the bytes that are left.
inline void take_bytes(const FuzzInput& input, const std::shared_ptr<memory::Budget>& budget, io::ChunkSource& chunk) {
  chunk.num_bytes = static_cast<int64_t>(input.rest().size());
  const auto bytes = memory::Buffer::allocate(chunk.num_bytes, budget);
  std::ranges::copy(input.rest(), bytes->mutable_data());
  chunk.bytes = bytes;
}

}  // namespace accelerant::fuzz
