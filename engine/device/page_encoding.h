#pragma once

#include "types/integers.h"

namespace accelerant::device {

/// How the values of a page are stored, of the encodings of Parquet that a device decodes.
enum class PageEncoding : uint32 {
  Plain,
  PlainStrings,  ///< their length in 4 bytes, then their bytes
  Dictionary,    ///< indices into the chunk's dictionary: their width in a byte, then their runs
  Deltas,        ///< DELTA_BINARY_PACKED integers
  Runs,          ///< booleans as runs, behind the 4 bytes that say how many bytes these take
};

}  // namespace accelerant::device
