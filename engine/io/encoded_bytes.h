#pragma once

#include "io/delta_decoder.h"
#include "memory/buffer.h"
#include "types/string_view.h"

#include <parquet/types.h>

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// A page of byte arrays that is not plain: DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, or, of a fixed width,
/// BYTE_STREAM_SPLIT. The data must be readable, whatever its content, up to memory::Buffer::kPaddingBytes past its
/// end. All methods throw Error{Resource} on corrupt data.
class EncodedBytes {
 public:
  /// Values decoded at a time, at most.
  static constexpr int64_t kBlock = 256;

  /// @param width of every value in bytes; 0: they differ
  /// @param budget charged for values that do not lie in the page as they are
  EncodedBytes(int width, std::shared_ptr<memory::Budget> budget) : width_(width), budget_(std::move(budget)) {}

  /// @throws Error Unsupported for an encoding that such values do not have
  void start(parquet::Encoding::type encoding, const uint8_t* data, int64_t num_bytes);
  /// Decodes the next `n` values, at most kBlock. They stay in place until the next call and are readable up to
  /// memory::Buffer::kPaddingBytes past their ends.
  void read(int64_t n, types::StringRef* to);
  /// Passes over the next `n` values.
  void skip(int64_t n);

 private:
  void read_lengths(int64_t n, types::StringRef* to);
  void read_prefixed(int64_t n, types::StringRef* to);
  void join_streams(int64_t n, types::StringRef* to);

  const int width_;
  const std::shared_ptr<memory::Budget> budget_;
  parquet::Encoding::type encoding_ = parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY;
  DeltaDecoder prefixes_;  ///< how many bytes each value shares with the one before it
  DeltaDecoder lengths_;   ///< of values, or of what follows the shared bytes
  const uint8_t* data_ = nullptr;
  const uint8_t* end_ = nullptr;
  int64_t split_values_ = 0;  ///< in each stream
  int64_t split_done_ = 0;
  memory::BufferPtr made_;             ///< holds the values of the last call
  types::StringRef last_{nullptr, 0};  ///< the value before the next one
};

}  // namespace accelerant::io
