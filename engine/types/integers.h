#pragma once

/// Integer types for code that also compiles for devices, where the standard headers are not to be had.
namespace accelerant {

using int8 = signed char;
using int16 = short;
using int32 = int;
using int64 = long;
using int128 = __int128;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long;
using uint128 = unsigned __int128;

static_assert(sizeof(int64) == 8 && sizeof(int32) == 4, "LP64 is assumed");

}  // namespace accelerant
