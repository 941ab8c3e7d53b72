#pragma once

#include "base/macros.h"
#include "functions/aggregate/signed_digits.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Access to the words of a state (functions/aggregate/shared_state.h) for one thread.
template <class Word = uint64>
struct PlainWords {
  Word* words;

  ACC_HD uint64 load(int32 word) const { return words[word]; }
  ACC_HD void add(int32 word, uint64 value) const { words[word] += value; }
  ACC_HD int64 add_digit(int32 word, int64 value) const {
    const auto before = static_cast<int64>(words[word]);
    words[word] += static_cast<uint64>(value);
    return carried(before, value);
  }
  ACC_HD void raise(int32 word, uint64 value) const {
    if (words[word] < value) words[word] = value;
  }
  ACC_HD void set_bits(int32 word, uint64 bits) const { words[word] |= bits; }
  ACC_HD void flip_bits(int32 word, uint64 bits) const { words[word] ^= bits; }
};

}  // namespace accelerant::functions
