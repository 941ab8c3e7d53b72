#include "io/value_placement.h"

#include "base/bits.h"
#include "base/error.h"
#include "types/integers.h"

#include <array>
#include <string>
#include <tmmintrin.h>

namespace accelerant::io {

namespace {

template <class T>
void look_up(const T* dictionary, const uint32_t* index, int64_t n, T* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = dictionary[index[i]];
}

/// As many values as a register of 16 bytes holds.
template <class T>
constexpr int64_t kLanes = 16 / static_cast<int64_t>(sizeof(T));

/// By the bits of as many rows: for each byte of theirs that of the register where it comes from, when the values lie
/// at its start; 0x80, which gives zero, for rows without a value.
template <class T>
constexpr auto kSources = [] {
  std::array<std::array<uint8_t, 16>, size_t{1} << kLanes<T>> sources{};
  for (size_t valid = 0; valid < sources.size(); ++valid) {
    size_t value = 0;
    for (size_t byte = 0; byte < 16; ++byte) {
      const size_t lane = byte / sizeof(T);
      const bool is_valid = (valid >> lane & 1) != 0;
      sources[valid][byte] = is_valid ? static_cast<uint8_t>(value * sizeof(T) + byte % sizeof(T)) : 0x80;
      value += is_valid && byte % sizeof(T) == sizeof(T) - 1;
    }
  }
  return sources;
}();

/// Moves `count` values at the start of `values` to the set bits of [position, position + n), last first; the others
/// become zero.
template <class T>
class Spreading {
 public:
  Spreading(T* values, const uint8_t* bitmap, int64_t position, int64_t n, int64_t count)
      : values_(values), bitmap_(bitmap), position_(position), n_(n), end_(n), count_(count) {}

  void run() {
    // No value moves before which there is no null.
    while (count_ < end_) {
      if constexpr (kLanes<T> >= 2 && kLanes<T> <= 4) {
        if (end_ >= kLanes<T> && (position_ + end_) % kLanes<T> == 0 && count_ + kLanes<T> <= n_) {
          place_lanes();
          continue;
        }
      }
      place_one();
    }
  }

 private:
  void place_one() {
    --end_;
    const bool is_valid = bits::get(bitmap_, position_ + end_);
    count_ -= is_valid;
    values_[end_] = is_valid ? values_[count_] : T{};
  }

  void place_lanes() {
    end_ -= kLanes<T>;
    const int64_t bit = position_ + end_;
    const unsigned valid = bitmap_[bit >> 3] >> (bit & 7) & ((1u << kLanes<T>)-1);
    count_ -= __builtin_popcount(valid);
    const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values_ + count_));
    const __m128i sources = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kSources<T>[valid].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(values_ + end_), _mm_shuffle_epi8(values, sources));
  }

  T* const values_;
  const uint8_t* const bitmap_;
  const int64_t position_;
  const int64_t n_;
  int64_t end_;    ///< the rows from here on have theirs
  int64_t count_;  ///< values that are still at the start
};

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
  with_width(width, [&]<class T>(T) { Spreading<T>(reinterpret_cast<T*>(values), bitmap, position, n, count).run(); });
}

}  // namespace accelerant::io
