#pragma once

#include "base/macros.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::functions {

ACC_HD inline types::StringRef trim_left(types::StringRef text) {
  int32 begin = 0;
  while (begin < text.length && text.data[begin] == ' ') ++begin;
  return types::slice(text, begin, text.length);
}

ACC_HD inline types::StringRef trim_right(types::StringRef text) {
  int32 end = text.length;
  while (end > 0 && text.data[end - 1] == ' ') --end;
  return types::slice(text, 0, end);
}

/// Says whether the bytes of a character are somewhere in a set.
ACC_HD inline bool is_in_set(types::StringRef text, int32 begin, int32 end, types::StringRef set) {
  return types::find(set, types::slice(text, begin, end)) >= 0;
}

ACC_HD inline types::StringRef trim_left(types::StringRef text, types::StringRef set) {
  int32 begin = 0;
  while (begin < text.length) {
    const int32 end = types::next_character(text, begin);
    if (!is_in_set(text, begin, end, set)) break;
    begin = end;
  }
  return types::slice(text, begin, text.length);
}

/// Looks up all characters from the first one on.
ACC_HD inline types::StringRef trim_right_from_front(types::StringRef text, types::StringRef set) {
  int32 kept = 0;
  for (int32 begin = 0; begin < text.length;) {
    const int32 end = types::next_character(text, begin);
    if (!is_in_set(text, begin, end, set)) kept = end;
    begin = end;
  }
  return types::slice(text, 0, kept);
}

/// Goes back to the last character that is not in the set. In bytes that are not UTF-8 it may depend on all that is
/// before them where characters begin: from there on it goes forward.
ACC_HD inline types::StringRef trim_right(types::StringRef text, types::StringRef set) {
  while (text.length > 0) {
    const int32 begin = types::last_character(text);
    if (begin < 0) return trim_right_from_front(text, set);
    if (!is_in_set(text, begin, text.length, set)) break;
    text.length = begin;
  }
  return text;
}

/// What functions that trim make of Spark's fields.
template <class Call>
ACC_HD auto bind_trim(Call& call) {
  const auto text = call.argument("srcStr");
  const auto set = call.argument_if("trimStr");
  call.finish();
  return set ? call.call({text, *set}) : call.call({text});
}

}  // namespace accelerant::functions
