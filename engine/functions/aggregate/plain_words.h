#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Access to the words of a state (functions/aggregate/shared_state.h) for one thread.
template <class Word = uint64>
struct PlainWords {
  Word* words;

  ACC_HD uint64 load(int32 word) const { return words[word]; }
  ACC_HD uint64 add(int32 word, uint64 value) const {
    const uint64 before = words[word];
    words[word] += value;
    return before;
  }
  ACC_HD void raise(int32 word, uint64 value) const {
    if (words[word] < value) words[word] = value;
  }
  ACC_HD void set_bits(int32 word, uint64 bits) const { words[word] |= bits; }
  ACC_HD void flip_bits(int32 word, uint64 bits) const { words[word] ^= bits; }
};

}  // namespace accelerant::functions
