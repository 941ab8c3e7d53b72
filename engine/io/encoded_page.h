#pragma once

#include "base/error.h"

#include <parquet/encoding.h>

#include <algorithm>
#include <memory>

namespace accelerant::io {

/// A page in one of the rarer encodings (delta, byte stream split, run-length booleans), decoded by Arrow.
template <class ParquetType>
class EncodedPage {
 public:
  using Stored = typename ParquetType::c_type;
  /// Values decoded at a time, at most.
  static constexpr int kBlock = 256;

  EncodedPage(const parquet::ColumnDescriptor& descriptor, arrow::MemoryPool* pool)
      : descriptor_(descriptor), pool_(pool) {}

  void start(parquet::Encoding::type encoding, const uint8_t* data, int64_t num_bytes, int64_t max_values) {
    decoder_ = parquet::MakeTypedDecoder<ParquetType>(encoding, &descriptor_, pool_);
    decoder_->SetData(static_cast<int>(max_values), data, static_cast<int>(num_bytes));
  }

  /// Decodes `n` values a few at a time and calls `take(values, count)`; byte arrays stay in place until `take`
  /// returns.
  template <class Take>
  void read(int64_t n, Take take) {
    Stored values[kBlock];
    while (n > 0) {
      const int wanted = static_cast<int>(std::min<int64_t>(n, kBlock));
      const int count = decoder_->Decode(values, wanted);
      if (count != wanted) throw Error(ErrorKind::Resource, "a page holds fewer values than it says");
      take(static_cast<const Stored*>(values), count);
      n -= count;
    }
  }

 private:
  const parquet::ColumnDescriptor& descriptor_;
  arrow::MemoryPool* pool_;
  std::unique_ptr<typename parquet::EncodingTraits<ParquetType>::Decoder> decoder_;
};

}  // namespace accelerant::io
