#pragma once

#include "base/macros.h"
#include "functions/error_codes.h"
#include "types/text_search.h"
#include "types/utf8.h"

/// Texts of Spark's types char(n) and varchar(n): of n characters, filled up with spaces, and of at most n.
namespace accelerant::functions {

/// Returns the bytes of a text that is filled up to a number of characters; it has no more.
template <class E>
ACC_HD inline int64 filled_size(types::StringRef text, int32 characters, int32 length, E& error) {
  const int64 size = int64{text.length} + (length - characters);
  if (size > types::kMaxStringBytes) error |= static_cast<E>(kExternalError);
  return size;
}

/// Writes a text and as many spaces as it lacks of a number of characters.
ACC_HD inline void fill(types::StringRef text, int32 length, char* out) {
  const int32 missing = length - types::count_characters(text);
  out = types::append(text, out);
  for (int32 i = 0; i < missing; ++i) out[i] = ' ';
}

/// Takes as many spaces off the end of a text as it has characters too many, if those are there.
/// @param characters of the text, more than `length`
ACC_HD inline types::StringRef without_excess(types::StringRef text, int32 characters, int32 length) {
  int32 end = text.length;
  const int32 least = text.length - (characters - length);
  while (end > least && text.data[end - 1] == ' ') --end;
  return types::slice(text, 0, end);
}

/// Likewise; fails where the text is still too long.
template <class E>
ACC_HD inline types::StringRef cut_to(types::StringRef text, int32 characters, int32 length, E& error) {
  const types::StringRef cut = without_excess(text, characters, length);
  if (types::count_characters(cut) > length) error |= static_cast<E>(kExternalError);
  return cut;
}

}  // namespace accelerant::functions
