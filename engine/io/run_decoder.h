#pragma once

#include <cstdint>

namespace accelerant::io {

/// Reads Parquet's hybrid of run-length and bit-packed integers (dictionary indices, levels), see
/// https://parquet.apache.org/docs/file-format/data-pages/encodings/. Every read is checked against the end of the
/// data; the data must be readable, whatever its content, up to memory::Buffer::kPaddingBytes past its end.
class RunDecoder {
 public:
  /// Starts over on `num_bytes` of runs of integers `bit_width` bits wide (0 to 32).
  /// @throws Error Resource for an impossible width
  void reset(const uint8_t* data, int64_t num_bytes, int bit_width);
  /// Reads the next `n` integers.
  /// @throws Error Resource when the data ends before
  void read(int64_t n, uint32_t* to);
  /// Reads the next `n` integers of a width of at most 8 bits; throws as the other does.
  void read(int64_t n, uint8_t* to);
  /// Skips `n` integers; throws as `read` does.
  void skip(int64_t n);

 private:
  void start_run();
  template <class T>
  void read_runs(int64_t n, T* to);

  const uint8_t* data_ = nullptr;  ///< what follows the run's header
  const uint8_t* end_ = nullptr;
  int bit_width_ = 0;
  int64_t run_left_ = 0;  ///< integers left in the run
  bool is_packed_ = false;
  int64_t packed_done_ = 0;   ///< integers taken from a packed run; data_ stays at its start
  int64_t packed_bytes_ = 0;  ///< of the whole packed run
  uint32_t repeated_ = 0;     ///< value of a repeated run
};

/// Returns the largest of `n` values; 0 for none.
uint32_t largest(const uint32_t* values, int64_t n);

}  // namespace accelerant::io
