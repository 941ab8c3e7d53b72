#pragma once

#include "io/page_header.h"
#include "memory/buffer.h"

#include <parquet/types.h>

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// The body of a page, decompressed.
struct PageBody {
  const uint8_t* data;  ///< of a kData page: levels, then values; else values
  int64_t num_bytes;
  const uint8_t* definition_levels;  ///< of a kDataV2 page
  int64_t definition_bytes;
  const uint8_t* repetition_levels;  ///< of a kDataV2 page
  int64_t repetition_bytes;
};

/// The body of a page as it is stored.
struct StoredBody {
  const uint8_t* definition_levels;  ///< of a kDataV2 page; right before the data
  int64_t definition_bytes;
  const uint8_t* data;
  int64_t stored_bytes;
  int64_t num_bytes;  ///< decompressed
  bool is_compressed;
  const uint8_t* repetition_levels;  ///< of a kDataV2 page; right before the definition levels
  int64_t repetition_bytes;
};

/// Passes over the pages of a column chunk, in order. All methods throw Error{Resource} on corrupt data, before memory
/// is taken for what a header says where the codec tells how much its data may grow.
class PageReader {
 public:
  /// @param data the chunk, which must outlive the reader and be readable up to memory::Buffer::kPaddingBytes past its
  /// end; it may be longer than its pages
  /// @param always_compressed pages of version 2 are compressed even where they say that they are not, a flaw of old
  /// writers
  /// @param budget charged for decompressed pages
  PageReader(const uint8_t* data, int64_t num_bytes, parquet::Compression::type codec, bool always_compressed,
             std::shared_ptr<memory::Budget> budget);
  ~PageReader();

  /// Says whether the current page is the chunk's last.
  bool at_end() const { return header_.compressed_bytes >= end_ - data_; }
  /// Goes to the next page and returns its header.
  const PageHeader& next();
  /// Returns the current page's body as the chunk has it.
  StoredBody stored_body() const;
  /// Returns the current page's body: in place until the next call, readable up to memory::Buffer::kPaddingBytes past
  /// its end.
  PageBody body();
  /// Writes the current page's body to memory that has room for its `num_bytes`.
  void copy_body(uint8_t* to) const;
  /// The number of the current page in its chunk, from 0; the dictionary counts. -1: there was none yet.
  int64_t page_number() const { return page_number_; }

 private:
  const uint8_t* decompressed(const StoredBody& stored);
  void decompress(const StoredBody& stored, uint8_t* to) const;

  const uint8_t* data_;  ///< the current page's body
  const uint8_t* end_;
  const parquet::Compression::type codec_type_;
  const std::unique_ptr<parquet::Codec> codec_;  ///< nullptr: nothing is compressed
  const bool always_compressed_;
  const std::shared_ptr<memory::Budget> budget_;
  std::shared_ptr<memory::Buffer> decompressed_;  ///< kept for the next page
  PageHeader header_;
  int64_t page_number_ = -1;
};

}  // namespace accelerant::io
