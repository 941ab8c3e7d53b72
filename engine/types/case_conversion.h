#pragma once

#include "base/macros.h"
#include "types/case_mappings.h"
#include "types/case_properties.h"
#include "types/utf8.h"

/// Full case mapping as ICU does it outside Turkish, Lithuanian, Greek and Dutch: some letters become several, and a
/// capital sigma at the end of a word has a form of its own.
namespace accelerant::types {

/// Returns the last range that begins at a character or before it, or nullptr.
template <class Range, int kCount>
ACC_HD inline const Range* find_range(const Range (&ranges)[kCount], int32 character) {
  int32 low = 0;
  int32 high = kCount;
  while (low < high) {
    const int32 middle = (low + high) / 2;
    if (ranges[middle].first <= character) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && ranges[low - 1].last >= character ? &ranges[low - 1] : nullptr;
}

template <int kCount>
ACC_HD inline int32 move_in(const CaseRange (&ranges)[kCount], int32 character) {
  const CaseRange* range = find_range(ranges, character);
  return range && (character - range->first) % range->step == 0 ? character + range->distance : character;
}

ACC_HD inline bool is_cased(int32 character) { return find_range(kCased, character) != nullptr; }
ACC_HD inline bool is_case_ignorable(int32 character) { return find_range(kCaseIgnorable, character) != nullptr; }

/// Calls `visit(character)` for what a text becomes in capitals.
template <class Visit>
ACC_HD inline void for_each_upper(StringRef text, Visit visit) {
  for (int32 position = 0; position < text.length;) {
    const int32 character = decode_valid_character(text, position);
    if (character < 0x80) {
      visit(character >= 'a' && character <= 'z' ? character - ('a' - 'A') : character);
    } else if (const LongMapping* several = find_range(kLongUpperMappings, character)) {
      for (const int32 mapped : several->mapped) {
        if (mapped != 0) visit(mapped);
      }
    } else {
      visit(move_in(kUpperRanges, character));
    }
  }
}

/// Says whether the first character from `position` on that matters has case.
ACC_HD inline bool is_cased_next(StringRef text, int32 position) {
  while (position < text.length) {
    const int32 character = decode_valid_character(text, position);
    if (!is_case_ignorable(character)) return is_cased(character);
  }
  return false;
}

/// Calls `visit(character)` for what a text becomes in small letters.
template <class Visit>
ACC_HD inline void for_each_lower(StringRef text, Visit visit) {
  constexpr int32 kCapitalSigma = 0x3a3;
  constexpr int32 kFinalSigma = 0x3c2;
  constexpr int32 kCapitalDottedI = 0x130;
  constexpr int32 kDotAbove = 0x307;
  bool is_in_word = false;
  for (int32 position = 0; position < text.length;) {
    const int32 character = decode_valid_character(text, position);
    if (character == kCapitalDottedI) {
      visit('i');
      visit(kDotAbove);
    } else if (character == kCapitalSigma && is_in_word && !is_cased_next(text, position)) {
      visit(kFinalSigma);
    } else if (character < 0x80) {
      visit(character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character);
    } else {
      visit(move_in(kLowerRanges, character));
    }
    if (!is_case_ignorable(character)) is_in_word = is_cased(character);
  }
}

}  // namespace accelerant::types
