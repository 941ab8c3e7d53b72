#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::types {

/// A string or binary value as it lies in a column: 16 bytes, Arrow's "view" layout. Up to 12 bytes are held inline;
/// longer ones hold a 4-byte prefix and point into one of the column's heap buffers. Unused inline bytes are zero.
struct StringView {
  static constexpr int32 kMaxInlineBytes = 12;

  int32 length;  ///< bytes
  union {
    char inlined[12];
    struct {
      char prefix[4];
      int32 buffer;  ///< index of the heap buffer
      int32 offset;  ///< bytes from its start
    } ref;
  };

  ACC_HD bool is_inline() const { return length <= kMaxInlineBytes; }
};

static_assert(sizeof(StringView) == 16, "a view is 16 bytes");

/// A string or binary value as functions see it: bytes and their number. Never owns.
struct StringRef {
  const char* data;
  int32 length;  ///< bytes
};

/// Resolves a view against its column's heap buffers. An inline view's bytes are the view's own: it must outlive the
/// result.
ACC_HD ACC_INLINE StringRef resolve(const StringView& view, const char* const* heap) {
  return {view.is_inline() ? view.inlined : heap[view.ref.buffer] + view.ref.offset, view.length};
}

/// Makes a view of a string of at most 12 bytes.
ACC_HD ACC_INLINE StringView inline_view(StringRef text) {
  StringView view{};
  view.length = text.length;
  if (text.length > 0) ACC_COPY_BYTES(view.inlined, text.data, text.length);
  return view;
}

/// Makes a view of a longer string that lies at `offset` of heap buffer `buffer`.
ACC_HD ACC_INLINE StringView heap_view(StringRef text, int32 buffer, int32 offset) {
  StringView view{};
  view.length = text.length;
  ACC_COPY_BYTES(view.ref.prefix, text.data, sizeof view.ref.prefix);
  view.ref.buffer = buffer;
  view.ref.offset = offset;
  return view;
}

/// The longest string that Spark makes (ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH): Java's arrays hold hardly more.
inline constexpr int64 kMaxStringBytes = 2'147'483'632;

/// Copies a string to `out` and returns the place after it.
ACC_HD ACC_INLINE char* append(StringRef text, char* out) {
  if (text.length > 0) ACC_COPY_BYTES(out, text.data, text.length);
  return out + text.length;
}

/// Copies a string over and over to `out` and returns the place after the last copy.
ACC_HD inline char* append_copies(StringRef text, int64 times, char* out) {
  // What is written is copied behind itself, twice as much each time, as long as a cache holds it.
  constexpr int64 kCachedBytes = 16 * 1024;
  const int64 size = times > 0 ? text.length * times : 0;
  int64 chunk = text.length < size ? text.length : size;
  append({text.data, static_cast<int32>(chunk)}, out);
  for (int64 written = chunk; written < size; written += chunk) {
    if (written < kCachedBytes) chunk = written;
    if (chunk > size - written) chunk = size - written;
    ACC_COPY_BYTES(out + written, out, chunk);
  }
  return out + size;
}

/// Compares bytes as unsigned: negative, 0, positive. Where ACC_COMPARE_BYTES is no better.
ACC_HD inline int32 compare_bytes(const char* lhs, const char* rhs, int32 num_bytes) {
  for (int32 i = 0; i < num_bytes; ++i) {
    const int32 difference = static_cast<uint8>(lhs[i]) - static_cast<uint8>(rhs[i]);
    if (difference != 0) return difference;
  }
  return 0;
}

/// Compares bytes as unsigned, the shorter first when one is a prefix of the other (Spark's UTF8_BINARY order):
/// negative, 0, positive.
ACC_HD inline int32 compare(StringRef lhs, StringRef rhs) {
  const int32 shared = lhs.length < rhs.length ? lhs.length : rhs.length;
  const int32 difference = shared == 0 ? 0 : ACC_COMPARE_BYTES(lhs.data, rhs.data, shared);
  return difference != 0 ? difference : lhs.length - rhs.length;
}

ACC_HD inline bool operator==(StringRef lhs, StringRef rhs) {
  if (lhs.length != rhs.length) return false;
  for (int32 i = 0; i < lhs.length; ++i) {
    if (lhs.data[i] != rhs.data[i]) return false;
  }
  return true;
}

}  // namespace accelerant::types
