#pragma once

#include "functions/datetime/parsed_fields.h"

// A fast way through texts whose parts have fixed places, such as 2024-07-01 12:30:00 by yyyy-MM-dd HH:mm:ss. It reads
// them as PatternScanner does, and leaves others to it.

namespace accelerant::functions {

/// Says whether a part has a fixed place: a literal that is no digit, or a number that may be of its least width.
ACC_HD inline bool has_fixed_place(const PatternItem& item) {
  if (item.kind == PatternItem::Kind::Literal) return !types::is_digit(item.byte);
  const bool is_number = item.kind == PatternItem::Kind::Number || item.kind == PatternItem::Kind::YearOfCentury;
  return is_number && item.sign != SignStyle::Negative && (item.is_fixed() || item.sign == SignStyle::BeyondWidth);
}

/// Finds out which texts of a pattern have parts in fixed places.
ACC_HD inline void find_fixed_places(DatePattern& pattern) {
  int32 num_bytes = 0;
  uint32 fields = 0;
  for (int32 i = 0; i < pattern.num_items; ++i) {
    const PatternItem& item = pattern.items[i];
    const bool is_literal = item.kind == PatternItem::Kind::Literal;
    if (!has_fixed_place(item) || (!is_literal && (fields & bit_of(item.field)) != 0)) return;
    num_bytes += is_literal ? 1 : item.min_width;
    if (!is_literal) fields |= bit_of(item.field);
  }
  pattern.fixed_bytes = num_bytes;
  pattern.fixed_fields = fields;
}

/// Reads a text of `fixed_bytes`; false where a part is not in its place.
ACC_HD inline bool read_fixed(const DatePattern& pattern, const char* next, ParsedFields& fields) {
  uint32 misfit = 0;
  for (int32 i = 0; i < pattern.num_items; ++i) {
    const PatternItem& item = pattern.items[i];
    if (item.kind == PatternItem::Kind::Literal) {
      misfit |= static_cast<uint32>(*next++ ^ item.byte);
      continue;
    }
    int64 value = 0;
    for (int32 k = 0; k < item.min_width; ++k) {
      const auto digit = static_cast<uint32>(*next++ - '0');
      misfit |= digit > 9;
      value = value * 10 + digit;
    }
    fields.values[static_cast<int32>(item.field)] = item.kind == PatternItem::Kind::Number ? value : 2000 + value;
  }
  fields.present = pattern.fixed_fields;
  return misfit == 0;
}

}  // namespace accelerant::functions
