#pragma once

#include "base/macros.h"
#include "types/byte_words.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::types {

/// Moves `position` over characters to `end`, or past it where that is inside of a character. Returns how many they
/// are.
ACC_HD inline int32 count_characters_to(StringRef text, int32 end, int32& position) {
  int32 count = 0;
  while (position < end) {
    const bool is_ascii_word = end - position >= kWordBytes && (read_word(text.data + position) & kHighestBits) == 0;
    count += is_ascii_word ? kWordBytes : 1;
    position = is_ascii_word ? position + kWordBytes : next_character(text, position);
  }
  return count;
}

/// Returns the number of the first character at number `from` or after where `part` begins, or -1; 0 for an empty part
/// (UTF8String.indexOf).
/// @param from at least 0
ACC_HD inline int32 find_character(StringRef text, StringRef part, int32 from) {
  if (part.length == 0) return 0;
  int32 character = from;
  for (int32 at = skip_characters(text, 0, from);;) {
    const int32 found = find(text, part, at);
    if (found < 0) return -1;
    character += count_characters_to(text, found, at);
    if (at == found) return character;
  }
}

}  // namespace accelerant::types
