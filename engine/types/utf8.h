#pragma once

#include "base/macros.h"
#include "types/string_view.h"

/// UTF-8 as Spark treats it: strings may hold any bytes.
namespace accelerant::types {

/// What Java puts in place of bytes that are not UTF-8.
inline constexpr int32 kReplacementCharacter = 0xfffd;

/// Returns the bytes of the character that begins with a byte, 1 where none can begin
/// (UTF8String.numBytesForFirstByte).
ACC_HD ACC_INLINE int32 bytes_of_character(char first) {
  const uint8 byte = static_cast<uint8>(first);
  if (byte < 0xc2 || byte > 0xf4) return 1;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// Returns the place after the character at `position`, at most the end of the text.
ACC_HD ACC_INLINE int32 next_character(StringRef text, int32 position) {
  const int32 bytes = bytes_of_character(text.data[position]);
  const int32 rest = text.length - position;
  return position + (bytes < rest ? bytes : rest);
}

/// Says whether a character begins at `position`, whatever is more than three bytes before it.
ACC_HD inline bool is_surely_a_beginning(StringRef text, int32 position) {
  for (int32 back = 1; back <= 3 && back <= position; ++back) {
    if (bytes_of_character(text.data[position - back]) > back) return false;
  }
  return true;
}

/// Returns where the last character begins of a text that is not empty; -1 where that depends on more than the last
/// bytes, as it may in what is not UTF-8.
ACC_HD inline int32 last_character(StringRef text) {
  for (int32 begin = text.length - 1; begin >= 0 && begin >= text.length - 4; --begin) {
    if (!is_surely_a_beginning(text, begin)) continue;
    for (int32 next = next_character(text, begin); next < text.length; next = next_character(text, begin)) begin = next;
    return begin;
  }
  return -1;
}

/// Returns the place of the n-th character from `position`, or the text's length where there are fewer.
ACC_HD inline int32 skip_characters(StringRef text, int32 position, int64 n) {
  for (; n > 0 && position < text.length; --n) position = next_character(text, position);
  return position;
}

/// Says whether eight bytes are ASCII, each a character.
ACC_HD ACC_INLINE bool are_ascii(const char* eight_bytes) {
  constexpr uint64 kHighBits = 0x8080808080808080;
  uint64 word;
  ACC_COPY_BYTES(&word, eight_bytes, sizeof word);
  return (word & kHighBits) == 0;
}

/// Counts characters by their first bytes.
ACC_HD inline int32 count_characters(StringRef text) {
  int32 count = 0;
  for (int32 i = 0; i < text.length; ++count) {
    for (; text.length - i >= 8 && are_ascii(text.data + i); i += 8) count += 8;
    if (i == text.length) break;
    i = next_character(text, i);
  }
  return count;
}

ACC_HD inline bool is_ascii(StringRef text) {
  uint8 all = 0;
  for (int32 i = 0; i < text.length; ++i) all = static_cast<uint8>(all | static_cast<uint8>(text.data[i]));
  return all < 0x80;
}

ACC_HD ACC_INLINE bool is_continuation(char byte) { return (static_cast<uint8>(byte) & 0xc0) == 0x80; }

/// Says whether `second` may follow the first byte of a character of three or four bytes. Surrogates pass here.
ACC_HD ACC_INLINE bool may_follow(char first, char second) {
  const uint8 byte = static_cast<uint8>(second);
  switch (static_cast<uint8>(first)) {
    case 0xe0:
      return byte >= 0xa0 && byte <= 0xbf;
    case 0xf0:
      return byte >= 0x90 && byte <= 0xbf;
    case 0xf4:
      return byte >= 0x80 && byte <= 0x8f;
    default:
      return is_continuation(second);
  }
}

/// Reads the character at `position`, not the end, and moves on, as java.lang.String decodes UTF-8: bytes that make no
/// character are U+FFFD, one for each longest beginning of a character.
ACC_HD inline int32 decode_character(StringRef text, int32& position) {
  const char* bytes = text.data + position;
  const int32 length = bytes_of_character(bytes[0]);
  const int32 available = text.length - position < length ? text.length - position : length;
  if (length == 1) {
    ++position;
    return static_cast<uint8>(bytes[0]) < 0x80 ? bytes[0] : kReplacementCharacter;
  }
  int32 good = 1;
  while (good < available && (good == 1 ? may_follow(bytes[0], bytes[1]) : is_continuation(bytes[good]))) ++good;
  position += good;
  if (good < length) return kReplacementCharacter;
  int32 character = static_cast<uint8>(bytes[0]) & (0x7f >> length);
  for (int32 i = 1; i < length; ++i) character = character << 6 | (static_cast<uint8>(bytes[i]) & 0x3f);
  return character >= 0xd800 && character <= 0xdfff ? kReplacementCharacter : character;
}

/// Reads the character at `position`, not the end, and moves on, as UTF8String.makeValid does: each byte of a surrogate
/// is U+FFFD.
ACC_HD inline int32 decode_valid_character(StringRef text, int32& position) {
  const int32 begin = position;
  const int32 character = decode_character(text, position);
  const bool is_surrogate = character == kReplacementCharacter && static_cast<uint8>(text.data[begin]) == 0xed;
  if (is_surrogate) position = begin + 1;
  return character;
}

/// Returns the bytes of a character in UTF-8.
ACC_HD ACC_INLINE int32 encoded_bytes(int32 character) {
  return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

/// Writes a character in UTF-8 and returns the place after it.
ACC_HD inline char* encode_character(int32 character, char* out) {
  const int32 length = encoded_bytes(character);
  if (length == 1) {
    *out = static_cast<char>(character);
    return out + 1;
  }
  for (int32 i = length - 1; i > 0; --i, character >>= 6) out[i] = static_cast<char>(0x80 | (character & 0x3f));
  out[0] = static_cast<char>((0xf00 >> length) | character);
  return out + length;
}

}  // namespace accelerant::types
