#pragma once

#include "types/string_view.h"

namespace accelerant::functions {

/// Compares a text with an upper-case ASCII word after turning it to upper case as Java does; besides a to z, a dotless
/// i and a long s become ASCII letters.
ACC_HD inline bool is_keyword(types::StringRef text, const char* word) {
  int32 i = 0;
  while (i < text.length && *word) {
    const auto first = static_cast<uint8>(text.data[i]);
    const auto second = i + 1 < text.length ? static_cast<uint8>(text.data[i + 1]) : uint8{0};
    const bool is_dotless_i = first == 0xc4 && second == 0xb1;
    const bool is_long_s = first == 0xc5 && second == 0xbf;
    const uint8 upper = is_dotless_i ? 'I' : is_long_s ? 'S' : first >= 'a' && first <= 'z' ? first - 32 : first;
    if (upper != static_cast<uint8>(*word++)) return false;
    i += is_dotless_i || is_long_s ? 2 : 1;
  }
  return i == text.length && !*word;
}

/// Says whether a text is one of several words.
template <class... Words>
ACC_HD bool is_one_of(types::StringRef text, Words... words) {
  return (is_keyword(text, words) || ...);
}

}  // namespace accelerant::functions
