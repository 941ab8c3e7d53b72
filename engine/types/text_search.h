#pragma once

#include "base/macros.h"
#include "types/string_view.h"

namespace accelerant::types {

/// Returns the part of a text from byte `begin` to before byte `end`.
ACC_HD ACC_INLINE StringRef slice(StringRef text, int32 begin, int32 end) { return {text.data + begin, end - begin}; }

/// Says whether `part`, which must fit there, lies at byte `position`.
ACC_HD ACC_INLINE bool is_at(StringRef text, StringRef part, int32 position) {
  for (int32 i = 0; i < part.length; ++i) {
    if (text.data[position + i] != part.data[i]) return false;
  }
  return true;
}

ACC_HD ACC_INLINE bool starts_with(StringRef text, StringRef part) {
  return part.length <= text.length && is_at(text, part, 0);
}

ACC_HD ACC_INLINE bool ends_with(StringRef text, StringRef part) {
  return part.length <= text.length && is_at(text, part, text.length - part.length);
}

/// Returns the first place of `part`, which is not empty, at byte `from` or after, or -1.
ACC_HD inline int32 find(StringRef text, StringRef part, int32 from = 0) {
  const char first = part.data[0];
  for (int32 i = from; i <= text.length - part.length; ++i) {
    if (text.data[i] == first && is_at(text, part, i)) return i;
  }
  return -1;
}

}  // namespace accelerant::types
