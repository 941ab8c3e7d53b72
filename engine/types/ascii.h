#pragma once

#include "types/text_search.h"

namespace accelerant::types {

ACC_HD ACC_INLINE bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Says whether a byte is white space or a control character (UTF8String.isWhitespaceOrISOControl).
ACC_HD ACC_INLINE bool is_blank(char byte) { return static_cast<uint8>(byte) <= ' ' || byte == 0x7f; }

/// Takes blanks off both ends (UTF8String.trimAll).
ACC_HD inline StringRef trim_blanks(StringRef text) {
  int32 begin = 0;
  int32 end = text.length;
  while (begin < end && is_blank(text.data[begin])) ++begin;
  while (end > begin && is_blank(text.data[end - 1])) --end;
  return slice(text, begin, end);
}

}  // namespace accelerant::types
