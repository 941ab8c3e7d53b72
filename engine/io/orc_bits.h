#pragma once

#include "io/orc_bytes.h"

#include <cstdint>
#include <utility>

namespace accelerant::io {

/// Decodes a stream of bytes in runs (ORC specification, "Byte Run Length Encoding"). Throws Error Resource on corrupt
/// data.
class OrcByteRuns {
 public:
  explicit OrcByteRuns(OrcBytes bytes) : bytes_(std::move(bytes)) {}

  /// Writes the next `n` bytes to `to`.
  void read(int64_t n, uint8_t* to);

 private:
  void start_run();

  OrcBytes bytes_;
  int64_t left_ = 0;  ///< bytes of the run
  bool is_repeated_ = false;
  uint8_t value_ = 0;  ///< that is repeated
};

/// Decodes a stream of booleans, eight to a byte. Throws Error Resource on corrupt data.
class OrcBits {
 public:
  explicit OrcBits(OrcBytes bytes) : bytes_(std::move(bytes)) {}

  /// Writes the next `n` values to `to`, a byte each, 0 or 1.
  void read(int64_t n, uint8_t* to);

 private:
  OrcByteRuns bytes_;
  uint8_t byte_ = 0;  ///< whose lowest bits are not read yet
  int num_left_ = 0;  ///< of its bits
};

}  // namespace accelerant::io
