#pragma once

#include "types/varint.h"

namespace accelerant::types {

/// The head of a run of Parquet's hybrid of run-length and bit-packed integers.
struct RunHeader {
  bool is_packed;
  int64 count;  ///< of a packed run: groups of eight integers; else integers
};

/// Reads the head of a run and moves `data` behind it. Returns false when it does not end before `end`, or counts more
/// than 31 bits.
ACC_HD ACC_INLINE bool read_run_header(const uint8*& data, const uint8* end, RunHeader& header) {
  uint64 word;
  if (!read_varint(data, end, word) || word >> 32 != 0) return false;
  header = {(word & 1) != 0, static_cast<int64>(word >> 1)};
  return true;
}

}  // namespace accelerant::types
