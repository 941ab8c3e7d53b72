#pragma once

#include "types/ascii.h"

/// Reading numbers from texts, as Spark and Java spell them.
namespace accelerant::functions {

/// Takes bytes up to the space off both ends (java.lang.String.trim).
ACC_HD inline types::StringRef trim_up_to_space(types::StringRef text) {
  int32 begin = 0;
  int32 end = text.length;
  while (begin < end && static_cast<uint8>(text.data[begin]) <= ' ') ++begin;
  while (end > begin && static_cast<uint8>(text.data[end - 1]) <= ' ') --end;
  return types::slice(text, begin, end);
}

/// Says whether a text is a word of small letters, whatever the case of its own ASCII letters.
template <int kSize>
ACC_HD inline bool is_word(types::StringRef text, const char (&word)[kSize]) {
  if (text.length != kSize - 1) return false;
  for (int32 i = 0; i < text.length; ++i) {
    const char c = text.data[i];
    if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != word[i]) return false;
  }
  return true;
}

/// Takes a sign off the front and says whether it is a minus.
ACC_HD inline bool take_sign(types::StringRef& text) {
  if (text.length == 0 || (text.data[0] != '-' && text.data[0] != '+')) return false;
  const bool negative = text.data[0] == '-';
  text = types::slice(text, 1, text.length);
  return negative;
}

}  // namespace accelerant::functions
