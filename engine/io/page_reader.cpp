#include "io/page_reader.h"

#include "base/error.h"
#include "io/fail_damaged.h"
#include "io/hadoop_lz4.h"
#include "io/snappy.h"
#include "io/zstd_frames.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace accelerant::io {

using memory::Buffer;
using parquet::Compression;

namespace {

/// Returns the most bytes that compressed ones may stand for, by how the codec's format repeats bytes. What BROTLI
/// stands for nothing but its budget bounds.
/// @throws Error Internal for a codec that no column chunk is opened with
int64_t largest_uncompressed(Compression::type codec, const uint8_t* from, int64_t num_bytes) {
  switch (codec) {
    case Compression::SNAPPY:  // 64 bytes of a copy of 3
      return num_bytes * 22;
    case Compression::LZ4:
    case Compression::LZ4_HADOOP:  // 255 bytes of a byte of length
      return num_bytes * 255 + 64;
    case Compression::GZIP:  // 258 bytes of 2 bits
      return num_bytes * 1032 + 64;
    case Compression::ZSTD:
      return largest_zstd_content({from, static_cast<size_t>(num_bytes)}).value_or(0);
    case Compression::BROTLI:
      return std::numeric_limits<int64_t>::max();
    case Compression::UNCOMPRESSED:
      return num_bytes;
    case Compression::LZ4_FRAME:
    case Compression::LZO:
    case Compression::BZ2:
      break;
  }
  throw Error(ErrorKind::Internal, "a page compressed by " + arrow::util::Codec::GetCodecAsString(codec));
}

}  // namespace

PageReader::PageReader(const uint8_t* data, int64_t num_bytes, Compression::type codec, bool always_compressed,
                       std::shared_ptr<memory::Budget> budget)
    : data_(data),
      end_(data + num_bytes),
      codec_type_(codec),
      codec_(parquet::GetCodec(codec)),
      always_compressed_(always_compressed),
      budget_(std::move(budget)) {
  header_.compressed_bytes = 0;
}

PageReader::~PageReader() = default;

const PageHeader& PageReader::next() {
  data_ += header_.compressed_bytes;
  header_.compressed_bytes = 0;
  if (data_ >= end_) fail_damaged("the column has fewer rows than its row group");
  ++page_number_;
  PageHeader header;
  if (!read_page_header(data_, end_, header)) fail_damaged("its header is corrupt");
  if (header.compressed_bytes > end_ - data_) fail_damaged("it does not end in its column chunk");
  header_ = header;
  return header_;
}

StoredBody PageReader::stored_body() const {
  int64_t level_bytes = 0;
  StoredBody body{nullptr, 0, nullptr, 0, 0, false, nullptr, 0};
  if (header_.type == PageHeader::kDataV2) {
    if (header_.definition_bytes < 0 || header_.repetition_bytes < 0) fail_damaged("corrupt definition levels");
    level_bytes = int64_t{header_.definition_bytes} + header_.repetition_bytes;
    body.repetition_levels = data_;
    body.repetition_bytes = header_.repetition_bytes;
    body.definition_levels = data_ + header_.repetition_bytes;
    body.definition_bytes = header_.definition_bytes;
  }
  body.stored_bytes = header_.compressed_bytes - level_bytes;
  body.num_bytes = header_.uncompressed_bytes - level_bytes;
  if (body.stored_bytes < 0 || body.num_bytes < 0) fail_damaged("corrupt definition levels");
  body.data = data_ + level_bytes;
  const bool may_be_compressed = codec_ && (header_.is_compressed || always_compressed_);
  if (!may_be_compressed && body.stored_bytes != body.num_bytes)
    fail_damaged("its size differs from what its header says");
  body.is_compressed = may_be_compressed && (body.stored_bytes > 0 || body.num_bytes > 0);
  if (body.is_compressed && body.num_bytes > largest_uncompressed(codec_type_, body.data, body.stored_bytes)) {
    fail_damaged("its size differs from what its header says");
  }
  return body;
}

PageBody PageReader::body() {
  const StoredBody stored = stored_body();
  const uint8_t* data = stored.is_compressed ? decompressed(stored) : stored.data;
  return {data,
          stored.num_bytes,
          stored.definition_levels,
          stored.definition_bytes,
          stored.repetition_levels,
          stored.repetition_bytes};
}

/// Returns a body decompressed to memory that is kept for the next one.
const uint8_t* PageReader::decompressed(const StoredBody& stored) {
  if (!decompressed_ || decompressed_->size_bytes() < stored.num_bytes) {
    decompressed_.reset();
    decompressed_ = Buffer::allocate(stored.num_bytes, budget_);
  }
  decompress(stored, decompressed_->mutable_data());
  return decompressed_->data();
}

void PageReader::copy_body(uint8_t* to) const {
  const StoredBody stored = stored_body();
  if (stored.is_compressed) {
    decompress(stored, to);
  } else if (stored.num_bytes > 0) {
    std::memcpy(to, stored.data, static_cast<size_t>(stored.num_bytes));
  }
}

void PageReader::decompress(const StoredBody& stored, uint8_t* to) const {
  const std::span compressed(stored.data, static_cast<size_t>(stored.stored_bytes));
  const std::span room(to, static_cast<size_t>(stored.num_bytes));
  if (codec_type_ == Compression::SNAPPY) {
    if (!decompress_snappy(compressed, room)) fail_damaged("it can't be decompressed");
    return;
  }
  // Arrow's codec takes blocks of one chunk, and what other writers call by that name.
  if (codec_type_ == Compression::LZ4_HADOOP && decompress_hadoop_lz4(compressed, room)) return;
  const auto made = codec_->Decompress(stored.stored_bytes, stored.data, stored.num_bytes, to);
  if (!made.ok()) fail_damaged("it can't be decompressed: " + made.status().message());
  if (*made != stored.num_bytes) fail_damaged("its size differs from what its header says");
}

}  // namespace accelerant::io
