#pragma once

#include "base/macros.h"
#include "types/byte_words.h"
#include "types/string_view.h"

namespace accelerant::types {

/// Returns the part of a text from byte `begin` to before byte `end`.
ACC_HD ACC_INLINE StringRef slice(StringRef text, int32 begin, int32 end) { return {text.data + begin, end - begin}; }

/// Says whether `part`, which must fit there, lies at byte `position`.
ACC_HD ACC_INLINE bool is_at(StringRef text, StringRef part, int32 position) {
  return are_equal(text.data + position, part.data, part.length);
}

ACC_HD ACC_INLINE bool starts_with(StringRef text, StringRef part) {
  return part.length <= text.length && is_at(text, part, 0);
}

ACC_HD ACC_INLINE bool ends_with(StringRef text, StringRef part) {
  return part.length <= text.length && is_at(text, part, text.length - part.length);
}

/// Looks for a part, which is not empty, at eight places of a text at once.
class PartSearch {
 public:
  ACC_HD ACC_INLINE PartSearch(StringRef text, StringRef part)
      : text_(text),
        part_(part),
        first_bytes_(repeat_byte(part.data[0])),
        last_bytes_(repeat_byte(part.data[part.length - 1])) {}

  /// Returns the first place of the eight from `begin` where the part lies, or -1. The places before `from`, which is
  /// at most seven behind `begin`, are left out. The part must fit at each of them.
  ACC_HD ACC_INLINE int32 find_in_eight(int32 begin, int32 from) const {
    const char* places = text_.data + begin;
    const uint64 first_differs = read_word(places) ^ first_bytes_;
    const uint64 last_differs = read_word(places + part_.length - 1) ^ last_bytes_;
    uint64 marks = mark_zero_bytes(first_differs | last_differs) & ~uint64(0) << (from - begin) * 8;
    for (; marks != 0; marks &= marks - 1) {
      const int32 place = begin + first_marked(marks);
      if (is_at(text_, part_, place)) return place;
    }
    return -1;
  }

 private:
  StringRef text_;
  StringRef part_;
  uint64 first_bytes_;  ///< a word of the part's first byte
  uint64 last_bytes_;
};

/// Returns the first place of `part`, which is not empty, at byte `from` or after, or -1.
ACC_HD inline int32 find(StringRef text, StringRef part, int32 from = 0) {
  const int32 last = text.length - part.length;
  int32 i = from;
  if (last >= kWordBytes - 1) {
    const PartSearch search(text, part);
    for (; i <= last - (kWordBytes - 1); i += kWordBytes) {
      const int32 found = search.find_in_eight(i, i);
      if (found >= 0) return found;
    }
    return i <= last ? search.find_in_eight(last - (kWordBytes - 1), i) : -1;
  }
  for (; i <= last; ++i) {
    if (text.data[i] == part.data[0] && is_at(text, part, i)) return i;
  }
  return -1;
}

}  // namespace accelerant::types
