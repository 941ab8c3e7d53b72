#pragma once

#include "base/error.h"
#include "io/delta_decoder.h"
#include "io/fail_damaged.h"

#include <parquet/types.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>

namespace accelerant::io {

/// A page of fixed-width numbers that is not plain: DELTA_BINARY_PACKED integers, or any in BYTE_STREAM_SPLIT. The data
/// must be readable, whatever its content, up to memory::Buffer::kPaddingBytes past its end.
template <class Stored>
class EncodedNumbers {
 public:
  /// Values decoded at a time, at most.
  static constexpr int64_t kBlock = 256;

  /// @throws Error Unsupported for an encoding that such numbers do not have; Resource for corrupt data
  void start(parquet::Encoding::type encoding, const uint8_t* data, int64_t num_bytes) {
    is_split_ = encoding == parquet::Encoding::BYTE_STREAM_SPLIT;
    if (is_split_) {
      split_ = data;
      split_values_ = num_bytes / static_cast<int64_t>(sizeof(Stored));
      split_done_ = 0;
    } else if (std::integral<Stored> && encoding == parquet::Encoding::DELTA_BINARY_PACKED) {
      deltas_.reset(data, data + num_bytes);
    } else {
      throw_unsupported("a page of numbers in encoding " + parquet::EncodingToString(encoding));
    }
  }

  /// Decodes `n` values a few at a time and calls `take(values, count)`.
  template <class Take>
  void read(int64_t n, Take take) {
    Stored values[kBlock];
    for (int64_t count; n > 0; n -= count) {
      count = std::min(n, kBlock);
      is_split_ ? join(count, values) : add_up(count, values);
      take(static_cast<const Stored*>(values), count);
    }
  }

  void skip(int64_t n) {
    if (!is_split_) return deltas_.skip(n);
    check_left(n);
    split_done_ += n;
  }

 private:
  void check_left(int64_t n) const {
    if (n > split_values_ - split_done_) fail_short_page();
  }

  void join(int64_t count, Stored* values) {
    check_left(count);
    auto* bytes = reinterpret_cast<uint8_t*>(values);
    for (size_t j = 0; j < sizeof(Stored); ++j) {
      const uint8_t* stream = split_ + static_cast<int64_t>(j) * split_values_ + split_done_;
      for (int64_t i = 0; i < count; ++i) bytes[static_cast<size_t>(i) * sizeof(Stored) + j] = stream[i];
    }
    split_done_ += count;
  }

  void add_up(int64_t count, Stored* values) {
    if constexpr (std::integral<Stored>) {
      int64_t wide[kBlock];
      deltas_.read(count, wide);
      for (int64_t i = 0; i < count; ++i) values[i] = static_cast<Stored>(wide[i]);
    }
  }

  DeltaDecoder deltas_;
  bool is_split_ = false;
  const uint8_t* split_ = nullptr;  ///< the streams, one a byte of a value, one after the other
  int64_t split_values_ = 0;        ///< in each stream
  int64_t split_done_ = 0;
};

}  // namespace accelerant::io
