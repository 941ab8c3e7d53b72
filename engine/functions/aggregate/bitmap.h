#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

/// Spark's bitmaps: so many bytes, whose bits are numbered from the lowest of the first one on.
inline constexpr int32 kBitmapBytes = 4096;
inline constexpr int64 kBitmapBits = int64{8} * kBitmapBytes;

/// A bitmap all of whose bytes are one.
template <uint8 kByte>
struct FilledBitmap {
  ACC_HD constexpr FilledBitmap() : bytes() {
    for (char& byte : bytes) byte = static_cast<char>(kByte);
  }
  char bytes[kBitmapBytes];
};
template <uint8 kByte>
inline constexpr FilledBitmap<kByte> kFilledBitmap;

/// A bitmap of `first` and 4095 times `a`, as examples write it, with what may follow.
struct BitmapExample {
  static constexpr int32 kMostBytes = 32;

  ACC_HD constexpr BitmapExample(char first, const char* rest) : text() {
    for (int32 i = 0; i < kBitmapBytes; ++i) text[i] = i == 0 ? first : 'a';
    for (int32 i = 0; rest[i] != 0; ++i) text[kBitmapBytes + i] = rest[i];
  }
  char text[kBitmapBytes + kMostBytes];
};

/// State of the functions that make a bitmap: by Combine::Or it begins without bits, by Combine::And with all of them.
template <Combine kCombine>
struct Bitmap {
  HeldText bytes;  ///< none as long as nothing counted
  bool fails;      ///< a position is none of a bitmap

  using Columns = StateColumns<Column<&Bitmap::bytes>, Column<&Bitmap::fails>>;
  static constexpr uint8 kFirstByte = kCombine == Combine::And ? 0xff : 0;

  ACC_HD static Bitmap init() { return {HeldText::init(), false}; }

  /// Sets a bit.
  template <class Store>
  ACC_HD ACC_INLINE void update(int64 position, Store& store) {
    fails |= position < 0 || position >= kBitmapBits;
    if (fails) return;
    if (bytes.length == 0) start(store);
    char& byte = bytes.data[position / 8];
    byte = static_cast<char>(byte | (1 << (position % 8)));
  }
  /// Combines a bitmap; one that is shorter lacks the bits of the other bytes, of one that is longer those do not
  /// count.
  template <class Store>
  ACC_HD void update(types::StringRef bitmap, Store& store) {
    if (bytes.length == 0) start(store);
    const int32 common = bitmap.length < kBitmapBytes ? bitmap.length : kBitmapBytes;
    for (int32 i = 0; i < common; ++i) bytes.data[i] = combined(bytes.data[i], bitmap.data[i]);
    for (int32 i = common; i < kBitmapBytes; ++i) bytes.data[i] = combined(bytes.data[i], 0);
  }
  template <class Store>
  ACC_HD void merge(const Bitmap& other, Store& store) {
    fails |= other.fails;
    if (other.bytes.length > 0) update(other.bytes.view(), store);
  }

  /// The bitmap.
  ACC_HD types::StringRef value() const {
    return bytes.length > 0 ? bytes.view() : types::StringRef{kFilledBitmap<kFirstByte>.bytes, kBitmapBytes};
  }

 private:
  ACC_HD ACC_INLINE static char combined(char lhs, char rhs) {
    return static_cast<char>(kCombine == Combine::And ? lhs & rhs : lhs | rhs);
  }
  template <class Store>
  ACC_HD void start(Store& store) {
    store.reserve(bytes, kBitmapBytes);
    for (int32 i = 0; i < kBitmapBytes; ++i) bytes.data[i] = static_cast<char>(kFirstByte);
  }
};

}  // namespace accelerant::functions
