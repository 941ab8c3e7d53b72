#include "io/lz4_block.h"

#include "base/error.h"

#include <arrow/util/compression.h>

#include <memory>

namespace accelerant::io {

namespace {

arrow::util::Codec& codec() {
  static const auto* made =
      new std::unique_ptr<arrow::util::Codec>(*arrow::util::Codec::Create(arrow::Compression::LZ4));
  return **made;
}

}  // namespace

std::optional<int64_t> compress_lz4(std::span<const uint8_t> from, std::span<uint8_t> to) {
  const auto num_bytes =
      codec().Compress(static_cast<int64_t>(from.size()), from.data(), static_cast<int64_t>(to.size()), to.data());
  if (!num_bytes.ok()) return std::nullopt;
  return *num_bytes;
}

bool decompress_lz4(std::span<const uint8_t> from, std::span<uint8_t> to) {
  const auto num_bytes =
      codec().Decompress(static_cast<int64_t>(from.size()), from.data(), static_cast<int64_t>(to.size()), to.data());
  return num_bytes.ok() && *num_bytes == static_cast<int64_t>(to.size());
}

}  // namespace accelerant::io
