#include "io/orc_codec.h"

#include "base/error.h"
#include "io/snappy.h"
#include "types/varint.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <string>

namespace accelerant::io {

using arrow::Compression;

namespace {

[[noreturn]] void fail_to_decompress() { throw Error(ErrorKind::Resource, "it can't be decompressed"); }

template <class T>
T codec_value(arrow::Result<T> result) {
  if (!result.ok()) throw Error(ErrorKind::Resource, "it can't be decompressed: " + result.status().message());
  return std::move(result).ValueUnsafe();
}

std::unique_ptr<arrow::util::Codec> make_codec(OrcCompression compression) {
  arrow::util::GZipCodecOptions deflate;
  deflate.gzip_format = arrow::util::GZipFormat::DEFLATE;
  switch (compression) {
    case OrcCompression::None:
    case OrcCompression::Snappy:
      return nullptr;
    case OrcCompression::Zlib:
      return codec_value(arrow::util::Codec::Create(Compression::GZIP, deflate));
    case OrcCompression::Lz4:
      return codec_value(arrow::util::Codec::Create(Compression::LZ4));
    case OrcCompression::Zstd:
      return codec_value(arrow::util::Codec::Create(Compression::ZSTD));
    case OrcCompression::Brotli:
      return codec_value(arrow::util::Codec::Create(Compression::BROTLI));
    case OrcCompression::Lzo:
      break;
  }
  throw_unsupported("ORC files compressed by LZO, or by what the engine does not know");
}

/// Decompresses a block, which begins with how many bytes it stands for.
int64_t decompress_block(std::span<const uint8_t> block, int64_t room, uint8_t* to) {
  const uint8_t* data = block.data();
  uint64_t num_bytes;
  if (!types::read_varint(data, block.data() + block.size(), num_bytes)) fail_to_decompress();
  if (num_bytes > static_cast<uint64_t>(room) || !decompress_snappy(block, {to, num_bytes})) fail_to_decompress();
  return static_cast<int64_t>(num_bytes);
}

}  // namespace

OrcCodec::OrcCodec(OrcCompression compression, int64_t block_bytes)
    : compression_(compression), block_bytes_(block_bytes), codec_(make_codec(compression)) {
  if (compression == OrcCompression::Zstd) frames_ = codec_value(codec_->MakeDecompressor());
}

OrcCodec::~OrcCodec() = default;

int64_t OrcCodec::decompress(std::span<const uint8_t> chunk, uint8_t* to) {
  if (compression_ == OrcCompression::Snappy) return decompress_block(chunk, block_bytes_, to);
  if (frames_) return decompress_frame(chunk, to);
  return codec_value(codec_->Decompress(static_cast<int64_t>(chunk.size()), chunk.data(), block_bytes_, to));
}

int64_t OrcCodec::decompress_frame(std::span<const uint8_t> chunk, uint8_t* to) {
  if (const arrow::Status status = frames_->Reset(); !status.ok()) fail_to_decompress();
  const auto made =
      codec_value(frames_->Decompress(static_cast<int64_t>(chunk.size()), chunk.data(), block_bytes_, to));
  if (!frames_->IsFinished() || made.bytes_read != static_cast<int64_t>(chunk.size())) fail_to_decompress();
  return made.bytes_written;
}

}  // namespace accelerant::io
