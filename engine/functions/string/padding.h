#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::functions {

/// Returns how many characters a text lacks; 0 or less where nothing is to be filled up.
ACC_HD inline int32 padding_needed(types::StringRef text, int32 length, types::StringRef pad) {
  return pad.length == 0 ? 0 : wrapping_subtract(length, types::count_characters(text));
}

/// Returns the bytes of a text that is filled up, or cut.
template <class E>
ACC_HD inline int64 padded_size(types::StringRef text, int32 length, types::StringRef pad, E& error) {
  const int32 needed = padding_needed(text, length, pad);
  if (needed <= 0) return types::skip_characters(text, 0, length);
  const int32 pad_characters = types::count_characters(pad);
  const int32 rest = types::skip_characters(pad, 0, needed % pad_characters);
  const int64 size = text.length + static_cast<int64>(needed / pad_characters) * pad.length + rest;
  if (size > types::kMaxStringBytes) error |= static_cast<E>(kExternalError);
  return size;
}

/// Writes as many characters of `pad`, over and over, and returns the place after them.
ACC_HD inline char* append_padding(int32 characters, types::StringRef pad, char* out) {
  if (characters <= 0) return out;
  const int32 pad_characters = types::count_characters(pad);
  out = types::append_copies(pad, characters / pad_characters, out);
  return types::append(types::slice(pad, 0, types::skip_characters(pad, 0, characters % pad_characters)), out);
}

}  // namespace accelerant::functions
