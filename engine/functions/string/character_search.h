#pragma once

#include "base/macros.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::types {

/// Returns the number of the first character at number `from` or after where `part` begins, or -1; 0 for an empty part
/// (UTF8String.indexOf).
ACC_HD inline int32 find_character(StringRef text, StringRef part, int32 from) {
  if (part.length == 0) return 0;
  int32 character = 0;
  for (int32 at = 0; part.length <= text.length - at; at = next_character(text, at), ++character) {
    if (character >= from && is_at(text, part, at)) return character;
  }
  return -1;
}

}  // namespace accelerant::types
