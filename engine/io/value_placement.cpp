#include "io/value_placement.h"

#include "base/bits.h"
#include "base/error.h"
#include "types/integers.h"

#include <string>

namespace accelerant::io {

namespace {

template <class T>
void look_up(const T* dictionary, const uint32_t* index, int64_t n, T* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = dictionary[index[i]];
}

/// Moves `count` values at the start of `values` to the set bits of [position, position + n), last first; the others
/// become zero.
template <class T>
void spread(T* values, const uint8_t* bitmap, int64_t position, int64_t n, int64_t count) {
  for (int64_t i = n - 1; i >= 0; --i) {
    const bool valid = bits::get(bitmap, position + i);
    count -= valid;
    values[i] = valid ? values[count] : T{};
  }
}

/// Calls a function for an unsigned type of a width in bytes.
void with_width(int width, const auto& call) {
  switch (width) {
    case 1:
      return call(uint8_t{});
    case 2:
      return call(uint16_t{});
    case 4:
      return call(uint32_t{});
    case 8:
      return call(uint64_t{});
    case 16:
      return call(uint128{});
    default:
      throw Error(ErrorKind::Internal, "values of " + std::to_string(width) + " bytes in a file");
  }
}

}  // namespace

void look_up_width(int width, const uint8_t* dictionary, const uint32_t* index, int64_t n, uint8_t* to) {
  with_width(width,
             [&]<class T>(T) { look_up(reinterpret_cast<const T*>(dictionary), index, n, reinterpret_cast<T*>(to)); });
}

void spread_width(int width, uint8_t* values, const uint8_t* bitmap, int64_t position, int64_t n, int64_t count) {
  with_width(width, [&]<class T>(T) { spread(reinterpret_cast<T*>(values), bitmap, position, n, count); });
}

}  // namespace accelerant::io
