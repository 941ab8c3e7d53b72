#pragma once

#include <cstdint>
#include <mutex>

namespace accelerant::spill {

/// How fast blocks are written and compressed, of late, and so whether compressing them pays. Any thread.
class WriteRates {
 public:
  /// Says whether to compress the next block: when that takes less time than writing what it leaves out, or when that
  /// has not been seen for a while.
  bool compresses_next();
  /// Notes that so many bytes were written.
  void note_write(int64_t num_bytes, int64_t nanos);
  /// Notes that bytes were compressed to fewer.
  void note_compression(int64_t num_bytes, int64_t compressed_bytes, int64_t nanos);

 private:
  /// A mean in which the last values count most; 0: there is none.
  struct Mean {
    double value = 0;
    void add(double next) { value = value == 0 ? next : value + (next - value) / 8; }
  };

  std::mutex mutex_;
  Mean write_nanos_;     ///< of a byte
  Mean compress_nanos_;  ///< of a byte that is compressed
  Mean left_;            ///< what is left of one
  int64_t num_blocks_ = 0;
};

}  // namespace accelerant::spill
