#pragma once

#include <cstdint>

namespace accelerant::io {

/// Reads the definition levels of a flat optional column, 0 (null) or 1 (value): the same runs as RunDecoder's, one bit
/// wide, straight into a validity bitmap.
class DefinitionLevels {
 public:
  /// Starts over. The data must be readable up to 8 bytes past its end.
  void reset(const uint8_t* data, int64_t num_bytes);
  /// Skips `n` levels if they are one run of values; else does nothing and returns false.
  bool skip_if_all_valid(int64_t n);
  /// Reads `n` levels into bits [position, position + n) of a bitmap whose bits from `position` on are zero. Returns
  /// the number of values among them.
  /// @throws Error Resource when the data ends before, or holds other levels
  int64_t read(int64_t n, uint8_t* bitmap, int64_t position);
  /// Skips `n` levels and returns the number of values among them; throws as `read` does.
  int64_t skip(int64_t n);

 private:
  void start_run();
  /// Consumes up to `n` levels of the current run and returns how many.
  int64_t take(int64_t n);

  const uint8_t* data_ = nullptr;  ///< what follows the run's header and, if packed, its levels
  const uint8_t* end_ = nullptr;
  const uint8_t* packed_ = nullptr;  ///< levels of a packed run
  int64_t packed_done_ = 0;
  int64_t run_left_ = 0;
  bool is_packed_ = false;
  bool repeated_ = false;
};

/// Sets bits [position, position + n) of a bitmap whose later bits are zero.
void set_bits(uint8_t* bitmap, int64_t position, int64_t n);

}  // namespace accelerant::io
