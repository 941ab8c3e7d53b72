#pragma once

#include "functions/datetime/keyword.h"
#include "types/ascii.h"

namespace accelerant::functions {

/// What a text says as a time zone.
struct ParsedZone {
  enum class Kind : uint8 { Offset, Invalid, Region };

  Kind kind;
  int32 offset;  ///< seconds ahead of UTC, for Offset
};

inline constexpr ParsedZone kInvalidZone = {ParsedZone::Kind::Invalid, 0};

ACC_HD inline bool is_sign(char byte) { return byte == '+' || byte == '-'; }
ACC_HD inline bool is_letter(char byte) { return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z'); }

/// Reads numbers of two digits, each but the first behind a colon or none of them.
struct OffsetParts {
  int32 values[3] = {0, 0, 0};
  int32 count = 0;

  /// Reads a text without its sign; false where it is no such list.
  ACC_HD bool read(types::StringRef text, bool has_colons) {
    const int32 step = has_colons ? 3 : 2;
    if (has_colons && text.length % 3 != 2) return false;
    for (int32 i = 0; i < text.length; i += step, ++count) {
      if (count == 3 || i + 2 > text.length || !types::is_digit(text.data[i]) || !types::is_digit(text.data[i + 1]))
        return false;
      if (has_colons && i > 0 && text.data[i - 1] != ':') return false;
      values[count] = (text.data[i] - '0') * 10 + (text.data[i + 1] - '0');
    }
    return count > 0;
  }
};

/// Parses +h, +hh, +hhmm, +hh:mm, +hhmmss, +hh:mm:ss, and as Spark has it +h:mm, +hh:m (java.time.ZoneOffset.of).
ACC_HD inline ParsedZone parse_offset(types::StringRef text) {
  if (text.length < 2 || text.length > 9 || !is_sign(text.data[0])) return kInvalidZone;
  char digits[10];
  int32 n = 0;
  const bool pads_hour = text.length == 2 || (text.length > 2 && text.data[2] == ':');
  if (pads_hour) digits[n++] = '0';
  for (int32 i = 1; i < text.length; ++i) digits[n++] = text.data[i];
  const bool pads_minute = n == 4 && digits[2] == ':';
  if (pads_minute) {
    digits[4] = digits[3];
    digits[3] = '0';
    n = 5;
  }
  OffsetParts parts;
  if (!parts.read({digits, n}, n > 2 && digits[2] == ':')) return kInvalidZone;
  const auto [hours, minutes, seconds] = parts.values;
  const int32 offset = hours * 3600 + minutes * 60 + seconds;
  if (minutes > 59 || seconds > 59 || offset > 18 * 3600) return kInvalidZone;
  return {ParsedZone::Kind::Offset, text.data[0] == '-' ? -offset : offset};
}

/// Says whether java.time could know a region by that name.
ACC_HD inline bool is_region_name(types::StringRef text) {
  if (text.length < 2 || !is_letter(text.data[0])) return false;
  for (int32 i = 1; i < text.length; ++i) {
    const char byte = text.data[i];
    const bool allowed = is_letter(byte) || types::is_digit(byte) || byte == '~' || byte == '/' || byte == '.' ||
                         byte == '_' || byte == '-' || byte == '+';
    if (!allowed) return false;
  }
  return true;
}

/// Parses an id of a time zone as Spark's DateTimeUtils.getZoneId does; names of regions are left to Spark.
ACC_HD inline ParsedZone parse_zone(types::StringRef text) {
  while (text.length > 0 && static_cast<uint8>(text.data[0]) <= ' ') text = {text.data + 1, text.length - 1};
  while (text.length > 0 && static_cast<uint8>(text.data[text.length - 1]) <= ' ') --text.length;
  if (text.length == 1 && text.data[0] == 'Z') return {ParsedZone::Kind::Offset, 0};
  if (text.length < 2 || is_sign(text.data[0])) return parse_offset(text);
  const auto starts_with = [&](const char* prefix, int32 n) {
    for (int32 i = 0; i < n; ++i) {
      if (i >= text.length || text.data[i] != prefix[i]) return false;
    }
    return true;
  };
  const int32 prefix = starts_with("UTC", 3) || starts_with("GMT", 3) ? 3 : starts_with("UT", 2) ? 2 : 0;
  if (prefix > 0 && text.length == prefix) return {ParsedZone::Kind::Offset, 0};
  if (prefix > 0 && is_sign(text.data[prefix])) return parse_offset({text.data + prefix, text.length - prefix});
  return is_region_name(text) ? ParsedZone{ParsedZone::Kind::Region, 0} : kInvalidZone;
}

}  // namespace accelerant::functions
