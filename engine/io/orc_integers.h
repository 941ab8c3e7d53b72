#pragma once

#include "io/orc_bytes.h"

#include <cstdint>

namespace accelerant::io {

/// Decodes a stream of integers in runs, of either version (ORC specification, "Integer Run Length Encoding").
/// All methods throw Error Resource on corrupt data.
class OrcIntegers {
 public:
  OrcIntegers(OrcBytes bytes, bool is_signed, bool is_second_version)
      : bytes_(std::move(bytes)), is_signed_(is_signed), is_second_version_(is_second_version) {}

  /// Writes the next `n` values to `to`.
  void read(int64_t n, int64_t* to);
  /// Returns the most values that a stream can have left.
  int64_t most_left() const;

 private:
  static constexpr int kMostValues = 512;  ///< of a run

  void start_run();
  void read_first_version(uint8_t head);
  void read_short_repeat(uint8_t head);
  void read_direct(uint8_t head);
  void read_patched(uint8_t head);
  void read_delta(uint8_t head);
  void apply_patches(const uint64_t* patches, int num_patches, int patch_width, int width);
  int read_length(uint8_t head);
  uint8_t read_byte();
  uint64_t read_big_endian(int num_bytes);
  uint64_t read_varint();
  int64_t read_value();
  void unpack(int num_values, int width, uint64_t* to);

  OrcBytes bytes_;
  const bool is_signed_;
  const bool is_second_version_;
  uint64_t values_[kMostValues];  ///< of the run
  int num_values_ = 0;
  int used_ = 0;
};

}  // namespace accelerant::io
