#pragma once

#include "device/block.h"
#include "functions/aggregate/signed_digits.h"

namespace accelerant::device::kernels {

/// The words of a state in memory, `stride` words apart.
struct StateWords {
  uint64* first;
  int64 stride;

  ACC_HD uint64* at(int32 word) const { return first + word * stride; }
};

/// How threads of a scope get at a state (functions/aggregate/shared_state.h).
template <Scope kScope, Threads B>
struct StateAccess {
  B& block;
  StateWords words;

  /// Reads a word that nobody changes.
  ACC_HD ACC_INLINE uint64 load(int32 word) const { return *words.at(word); }
  ACC_HD ACC_INLINE void add(int32 word, uint64 value) const {
    if constexpr (kScope == Scope::Device) {
      block.template fetch_add<Order::Relaxed, kScope>(words.at(word), value);
    } else {
      const uint32 low = add_low(word, static_cast<uint32>(value));
      const uint32 high = static_cast<uint32>(value >> 32) + low;
      if (high != 0) block.template fetch_add<Order::Relaxed, kScope>(half(word, 1), high);
    }
  }
  ACC_HD ACC_INLINE int64 add_digit(int32 word, int64 value) const {
    if constexpr (kScope == Scope::Device) {
      const auto bits = static_cast<uint64>(value);
      const uint64 before = block.template fetch_add<Order::Relaxed, kScope>(words.at(word), bits);
      return functions::carried(static_cast<int64>(before), value);
    } else {
      const auto low = static_cast<int64>(add_low(word, static_cast<uint32>(value)));
      const int64 high = (value >> 32) + low;
      if (high == 0) return 0;
      // 2^31 is one more than the half has room for, which it takes for -2^31.
      const auto bits = static_cast<uint32>(high);
      const uint32 before = block.template fetch_add<Order::Relaxed, kScope>(half(word, 1), bits);
      const auto added = static_cast<int32>(bits);
      return functions::carried(static_cast<int32>(before), added) + static_cast<int64>(high != added);
    }
  }
  ACC_HD ACC_INLINE void raise(int32 word, uint64 value) const {
    // Most values change nothing, and a read takes less than a write.
    if (value > now(word)) block.template fetch_max<Order::Relaxed, kScope>(words.at(word), value);
  }
  ACC_HD ACC_INLINE void set_bits(int32 word, uint64 bits) const {
    if ((now(word) & bits) != bits) block.template fetch_or<Order::Relaxed, kScope>(words.at(word), bits);
  }
  ACC_HD ACC_INLINE void flip_bits(int32 word, uint64 bits) const {
    if (bits != 0) block.template fetch_xor<Order::Relaxed, kScope>(words.at(word), bits);
  }

 private:
  /// A GPU adds 32 bits in shared memory at once, of 64 it takes turns; so halves are added to, and most values have
  /// but a lower one.
  ACC_HD ACC_INLINE uint32 add_low(int32 word, uint32 value) const {
    if (value == 0) return 0;
    const uint32 before = block.template fetch_add<Order::Relaxed, kScope>(half(word, 0), value);
    return static_cast<uint32>(before + value < value);
  }
  ACC_HD ACC_INLINE uint32* half(int32 word, int32 which) const {
    return reinterpret_cast<uint32*>(words.at(word)) + which;
  }
  ACC_HD ACC_INLINE uint64 now(int32 word) const { return block.template load<Order::Relaxed, kScope>(words.at(word)); }
};

template <Scope kScope, Threads B>
ACC_HD ACC_INLINE StateAccess<kScope, B> access_to(B& block, StateWords words) {
  return {block, words};
}

/// Adds several copies of a state, a word apart, to one in device memory.
template <class Shared, Threads B>
ACC_HD void merge_copies(B& block, StateWords from, int32 num_copies, StateWords to) {
  const auto copy_at = [&](int32 copy) {
    return access_to<Scope::Block>(block, StateWords{from.first + copy, from.stride});
  };
  Shared::merge(copy_at, num_copies, access_to<Scope::Device>(block, to));
}

}  // namespace accelerant::device::kernels
