#pragma once

#include "types/integers.h"

namespace accelerant::device {

/// What a kernel found in a piece of encoded data. Where it is not `Sound`, the values in their place are unspecified;
/// nothing else was read or written.
enum class PageStatus : uint32 {
  Sound,
  BadWidth,   ///< integers of more bits than are allowed
  EndsEarly,  ///< less data than there should be, or a head that never ends
  BadLength,  ///< stands for another number of bytes than it should
  BadOffset,  ///< refers to what is not there
  BadLevel,   ///< a definition level that the column does not have
};

}  // namespace accelerant::device
