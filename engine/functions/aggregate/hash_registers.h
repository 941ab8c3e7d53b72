#pragma once

// The registers of HyperLogLog++ (Heule, Nunkesser, Hall, "HyperLogLog in Practice", EDBT 2013). The first bits of a
// value's hash, `precision` of them, choose a register; it keeps the greatest rank of the other bits, one more than the
// zeros that they begin with. What registers hold is the same whatever the order of values and of merges.
//
// Many registers are a byte each. Few that hold something, as those of most groups, are a smaller hash table: entries
// of four bytes, a register's number and its rank, at the place that the number's last bits say or behind it.

#include "functions/aggregate/state_columns.h"

namespace accelerant::functions {

/// State of HyperLogLogPlusPlus. Tables hold no registers of more than kMostPrecision bits.
struct HashRegisters {
  HeldText bytes;  ///< as many as there are registers: of their ranks, 0 for none; fewer: a table of entries
  int32 entries;   ///< of the table

  using Columns = StateColumns<Column<&HashRegisters::bytes>, Column<&HashRegisters::entries>>;
  static constexpr int32 kLeastPrecision = 4;
  static constexpr int32 kMostPrecision = 26;

  ACC_HD static HashRegisters init() { return {HeldText::init(), 0}; }

  /// Says whether a register has its own byte.
  ACC_HD bool is_dense(int32 precision) const { return bytes.length == int32{1} << precision; }
  /// Returns the rank of a register, where each has its own byte.
  ACC_HD uint8 rank(int32 at) const { return static_cast<uint8>(bytes.data[at]); }

  template <class Store>
  ACC_HD ACC_INLINE void add(uint64 hash, int32 precision, Store& store) {
    const auto at = static_cast<uint32>(hash >> (64 - precision));
    const uint64 rest = (hash << precision) | (uint64{1} << (precision - 1));
    raise(at, leading_zeros(rest) + 1, precision, store);
  }

  template <class Store>
  ACC_HD void merge(const HashRegisters& other, int32 precision, Store& store) {
    if (is_dense(precision) && other.is_dense(precision)) {
      for (int32 at = 0; at < bytes.length; ++at) raise_byte(at, other.rank(at));
    } else {
      other.for_each(precision, [&](uint32 at, uint32 rank) { raise(at, rank, precision, store); });
    }
  }

  /// Calls `visit(register, rank)` for each register that holds something.
  template <class Visit>
  ACC_HD void for_each(int32 precision, Visit visit) const {
    if (is_dense(precision)) {
      for (int32 at = 0; at < bytes.length; ++at) {
        if (rank(at) != 0) visit(static_cast<uint32>(at), uint32{rank(at)});
      }
      return;
    }
    for (uint32 place = 0; place < num_places(); ++place) {
      const uint32 entry = entry_at(place);
      if (entry != 0) visit(entry >> kRankBits, entry & kRankMask);
    }
  }

 private:
  /// Counts the zeros that a number begins with, by a device's own function or the compiler's; not of 0.
  template <class Number>
  ACC_HD ACC_INLINE static uint32 leading_zeros(Number number) {
    if constexpr (requires { __clzll(number); }) {
      return static_cast<uint32>(__clzll(number));
    } else {
      return static_cast<uint32>(__builtin_clzll(number));
    }
  }

  static constexpr int32 kRankBits = 6;
  static constexpr uint32 kRankMask = (1 << kRankBits) - 1;
  static constexpr int32 kEntryBytes = sizeof(uint32);
  static constexpr int32 kLeastBytes = 16;

  ACC_HD uint32 num_places() const { return static_cast<uint32>(bytes.length) / kEntryBytes; }
  /// A quarter of the places stays free.
  ACC_HD bool has_room() const { return 4 * (static_cast<uint32>(entries) + 1) <= 3 * num_places(); }
  ACC_HD uint32 entry_at(uint32 place) const {
    uint32 entry = 0;
    ACC_COPY_BYTES(&entry, bytes.data + place * kEntryBytes, kEntryBytes);
    return entry;
  }

  template <class Store>
  ACC_HD ACC_INLINE void raise(uint32 at, uint32 rank, int32 precision, Store& store) {
    if (!is_dense(precision) && !has_room()) grow(precision, store);
    put(at, rank, precision);
  }
  ACC_HD ACC_INLINE void put(uint32 at, uint32 rank, int32 precision) {
    if (is_dense(precision)) {
      raise_byte(static_cast<int32>(at), static_cast<uint8>(rank));
    } else {
      raise_entry(at, rank);
    }
  }
  ACC_HD ACC_INLINE void raise_byte(int32 at, uint8 candidate) {
    bytes.data[at] = static_cast<char>(candidate > rank(at) ? candidate : rank(at));
  }
  /// Raises the entry of a register, or adds one, for which there is room.
  ACC_HD void raise_entry(uint32 at, uint32 rank) {
    const uint32 last = num_places() - 1;
    uint32 place = at & last;
    uint32 entry = entry_at(place);
    for (; entry != 0 && entry >> kRankBits != at; entry = entry_at(place)) place = (place + 1) & last;
    if (entry == 0) ++entries;
    const uint32 raised = (at << kRankBits) | rank;
    if (raised > entry) ACC_COPY_BYTES(bytes.data + place * kEntryBytes, &raised, kEntryBytes);
  }

  /// Makes the table twice as large, or gives each register its byte where those take no more.
  template <class Store>
  ACC_HD void grow(int32 precision, Store& store) {
    const HashRegisters before = *this;
    const int32 registers = int32{1} << precision;
    const int32 doubled = bytes.length == 0 ? kLeastBytes : 2 * bytes.length;
    store.reserve(bytes, doubled < registers ? doubled : registers);
    entries = 0;
    for (int32 i = 0; i < bytes.length; ++i) bytes.data[i] = 0;
    before.for_each(precision, [&](uint32 at, uint32 rank) { put(at, rank, precision); });
  }
};

}  // namespace accelerant::functions
