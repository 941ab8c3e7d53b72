#pragma once

#include "base/macros.h"
#include "types/integers.h"

// Eight bytes of a text as one word, the first byte lowest (all our machines are little-endian): a loop over texts
// takes eight steps at once, also where there are no vector instructions. The tests for bytes are those of Warren,
// "Hacker's Delight" (2012), chapter 6.

namespace accelerant::types {

inline constexpr int32 kWordBytes = 8;
inline constexpr uint64 kLowestBits = 0x0101010101010101;   ///< of every byte of a word
inline constexpr uint64 kHighestBits = 0x8080808080808080;  ///< of every byte of a word

/// Reads a word, which need not be aligned.
ACC_HD ACC_INLINE uint64 read_word(const char* bytes) {
  uint64 word;
  ACC_COPY_BYTES(&word, bytes, sizeof word);
  return word;
}

/// Reads half a word, which need not be aligned.
ACC_HD ACC_INLINE uint32 read_half_word(const char* bytes) {
  uint32 half;
  ACC_COPY_BYTES(&half, bytes, sizeof half);
  return half;
}

/// Returns a word of equal bytes.
ACC_HD ACC_INLINE uint64 repeat_byte(char byte) { return static_cast<uint8>(byte) * kLowestBits; }

/// Marks by its highest bit the first byte that is zero. Bytes behind it may be marked that are not zero; where none is
/// zero, none is marked.
ACC_HD ACC_INLINE uint64 mark_zero_bytes(uint64 word) { return (word - kLowestBits) & ~word & kHighestBits; }

/// Returns the number of the first byte that is marked; one is.
ACC_HD ACC_INLINE int32 first_marked(uint64 marks) {
  // The bits below the mark that are some byte's lowest add up in the highest byte: one too many.
  const uint64 below = (marks & -marks) - 1;
  return static_cast<int32>((below & kLowestBits) * kLowestBits >> 56) - 1;
}

/// Says whether `n` bytes here and there are the same.
ACC_HD ACC_INLINE bool are_equal(const char* lhs, const char* rhs, int32 n) {
  // The last bytes are compared as a whole word or half again, which takes some for the second time.
  if (n >= kWordBytes) {
    for (int32 i = 0; i < n - kWordBytes; i += kWordBytes) {
      if (read_word(lhs + i) != read_word(rhs + i)) return false;
    }
    return read_word(lhs + n - kWordBytes) == read_word(rhs + n - kWordBytes);
  }
  if (n >= kWordBytes / 2) {
    const int32 last = n - kWordBytes / 2;
    return read_half_word(lhs) == read_half_word(rhs) && read_half_word(lhs + last) == read_half_word(rhs + last);
  }
  for (int32 i = 0; i < n; ++i) {
    if (lhs[i] != rhs[i]) return false;
  }
  return true;
}

}  // namespace accelerant::types
