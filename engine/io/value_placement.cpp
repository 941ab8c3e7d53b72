#include "io/value_placement.h"

#include "base/bits.h"
#include "types/integers.h"

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

}  // namespace

void look_up_width(int width, const uint8_t* dictionary, const uint32_t* index, int64_t n, uint8_t* to) {
  const auto as = [&]<class T>(T*) {
    look_up(reinterpret_cast<const T*>(dictionary), index, n, reinterpret_cast<T*>(to));
  };
  switch (width) {
    case 1:
      return as(static_cast<uint8_t*>(nullptr));
    case 2:
      return as(static_cast<uint16_t*>(nullptr));
    case 4:
      return as(static_cast<uint32_t*>(nullptr));
    case 8:
      return as(static_cast<uint64_t*>(nullptr));
    default:
      return as(static_cast<uint128*>(nullptr));
  }
}

void spread_width(int width, uint8_t* values, const uint8_t* bitmap, int64_t position, int64_t n, int64_t count) {
  const auto as = [&]<class T>(T*) { spread(reinterpret_cast<T*>(values), bitmap, position, n, count); };
  switch (width) {
    case 1:
      return as(static_cast<uint8_t*>(nullptr));
    case 2:
      return as(static_cast<uint16_t*>(nullptr));
    case 4:
      return as(static_cast<uint32_t*>(nullptr));
    case 8:
      return as(static_cast<uint64_t*>(nullptr));
    default:
      return as(static_cast<uint128*>(nullptr));
  }
}

}  // namespace accelerant::io
