#pragma once

#include "base/macros.h"
#include "types/string_view.h"

namespace accelerant::types {

/// A text of at most N bytes by value: the result of a function whose texts are all short.
template <int N>
struct Text {
  static constexpr int32 kMaxBytes = N;

  char bytes[N];
  int32 length = 0;

  ACC_HD void add(char byte) { bytes[length++] = byte; }
  ACC_HD void add(StringRef text) {
    for (int32 i = 0; i < text.length; ++i) add(text.data[i]);
  }
  /// Adds a literal.
  template <int kSize>
  ACC_HD void add(const char (&literal)[kSize]) {
    add(StringRef{literal, kSize - 1});
  }
  /// Adds the decimal digits of a number, with zeros in front up to `min_digits`.
  template <class U>
  ACC_HD void add_digits(U value, int32 min_digits = 1) {
    char digits[40];
    int32 count = 0;
    for (; value != 0 || count < min_digits; value /= 10) digits[count++] = static_cast<char>('0' + value % 10);
    while (count > 0) add(digits[--count]);
  }
  ACC_HD StringRef ref() const { return {bytes, length}; }
};

}  // namespace accelerant::types
