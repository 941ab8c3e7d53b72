#pragma once

#include "base/prefetch.h"
#include "memory/array.h"
#include "memory/budget.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace accelerant::operators {

/// Slots of groups by their keys' hashes: open addressing, from one line of the cache to the next. One thread at a
/// time.
/// @tparam Slot has a member `group`, 0 where it is free
template <class Slot>
class SlotArray {
 public:
  explicit SlotArray(std::shared_ptr<memory::Budget> budget) : budget_(std::move(budget)), slots_(budget_) {}

  int64_t size() const { return slots_.size(); }
  Slot& operator[](int64_t at) { return slots_[at]; }
  const Slot& operator[](int64_t at) const { return slots_[at]; }
  /// Returns the slot at which the search for a hash begins.
  const Slot& first(uint64_t hash) const { return slots_[place(hash)]; }
  void prefetch(uint64_t hash) const { prefetch_line(&first(hash)); }

  /// Returns the place of the slot that `is_wanted`, or of the free one for it. A line of the cache is searched as a
  /// whole before the next one.
  template <class IsWanted>
  int64_t find(uint64_t hash, const IsWanted& is_wanted) const {
    const int64_t home = place(hash);
    for (int64_t line = home & -kOfLine;; line = (line + kOfLine) & (size() - 1)) {
      for (int64_t i = home; i < home + kOfLine; ++i) {
        const int64_t at = line | (i & (kOfLine - 1));
        if (slots_[at].group == 0 || is_wanted(slots_[at])) return at;
      }
    }
  }
  int64_t find_free(uint64_t hash) const {
    return find(hash, [](const Slot&) { return false; });
  }

  /// Makes so many slots of those there are, a power of two. As the lowest bits of its hash say where a group stands,
  /// slots are read in turn, and written in turn at as many places as there are times more of them.
  /// @param hash_of returns the hash of a slot's key, or its lowest bits
  /// @param check called time and again
  /// @throws Error Resource or MemoryWait, as Budget::reserve, or what `check` does; nothing has changed then
  template <class HashOf, class Check>
  void resize(int64_t num_slots, const HashOf& hash_of, const Check& check) {
    SlotArray wider(budget_);
    wider.slots_.reserve(num_slots);
    while (wider.size() < num_slots) {
      check();
      wider.slots_.append(std::min(kAtOnce, num_slots - wider.size()), Slot{});
    }
    for (int64_t begin = 0; begin < size(); begin += kAtOnce) {
      check();
      wider.add(
          slots_.span().subspan(static_cast<size_t>(begin), static_cast<size_t>(std::min(kAtOnce, size() - begin))),
          hash_of);
    }
    slots_ = std::move(wider.slots_);
  }
  /// Gives back the memory of all slots: nothing is found any more.
  void drop() { slots_ = memory::Array<Slot>(budget_); }

 private:
  static constexpr int64_t kAtOnce = 64 * 1024;
  static constexpr int64_t kOfLine = 64 / sizeof(Slot);

  template <class HashOf>
  void add(std::span<const Slot> others, const HashOf& hash_of) {
    // Without a branch on what can't be foretold: a free slot is written over.
    std::array<Slot, 256> taken;
    for (size_t begin = 0; begin < others.size(); begin += taken.size() - 1) {
      size_t num_taken = 0;
      for (const Slot& slot : others.subspan(begin).first(std::min(taken.size() - 1, others.size() - begin))) {
        taken[num_taken] = slot;
        num_taken += slot.group != 0;
      }
      for (const Slot& slot : std::span(taken).first(num_taken)) slots_[find_free(hash_of(slot))] = slot;
    }
  }

  int64_t place(uint64_t hash) const { return static_cast<int64_t>(hash & static_cast<uint64_t>(size() - 1)); }

  std::shared_ptr<memory::Budget> budget_;
  memory::Array<Slot> slots_;
};

}  // namespace accelerant::operators
