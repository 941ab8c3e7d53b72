#pragma once

#include "base/macros.h"
#include "types/text_search.h"
#include "types/utf8.h"

namespace accelerant::functions {

/// A pattern of LIKE, looked through once: `%` stands for any characters, `_` for one. Text and pattern are characters
/// as Java decodes them, since Spark makes a Java regular expression of the pattern.
class LikePattern {
 public:
  /// @param escape one character, of at most U+FFFF, that takes the meaning from `%`, `_` and itself
  ACC_HD LikePattern(types::StringRef pattern, types::StringRef escape) : pattern_(pattern) {
    int32 position = 0;
    escape_ = types::decode_character(escape, position);
    for (int32 i = 0; i < pattern.length && is_valid_;) look_at(i);
    for (int32 part = 0, begin = 0; part < kKnownParts; ++part, begin = part_ends_[part - 1] + 1) {
      part_ends_[part] = look_for_end(begin);
    }
  }

  /// False where Spark fails: an escape character before any other character, or at the end.
  ACC_HD bool is_valid() const { return is_valid_; }

  ACC_HD bool matches(types::StringRef text) const { return is_plain_ ? matches_plain(text) : matches_any(text); }

 private:
  static constexpr int32 kMany = -1;  ///< what tokens are that are no characters
  static constexpr int32 kOne = -2;
  static constexpr int32 kKnownParts = 4;  ///< parts between `%` whose ends are kept, for the texts of a whole batch

  /// Learns from the character at `i`, and moves on.
  ACC_HD void look_at(int32& i) {
    const int32 character = types::decode_character(pattern_, i);
    if (character == escape_) {
      is_plain_ = false;
      const int32 escaped = i < pattern_.length ? types::decode_character(pattern_, i) : 0;
      is_valid_ = escaped == '_' || escaped == '%' || escaped == escape_;
    }
    // Bytes may be compared where they stand for characters, one to one.
    if (character == '_' || character == types::kReplacementCharacter) is_plain_ = false;
  }

  ACC_HD int32 read_token(int32& position) const {
    const int32 character = types::decode_character(pattern_, position);
    if (character == escape_) return types::decode_character(pattern_, position);
    return character == '%' ? kMany : character == '_' ? kOne : character;
  }

  /// Returns the place of the first `%` at `position` or after, or the end.
  ACC_HD int32 look_for_end(int32 position) const {
    while (position < pattern_.length && pattern_.data[position] != '%') ++position;
    return position;
  }

  /// Returns the place of the `%` behind a part that begins at `begin`, or the end.
  ACC_HD int32 end_of_part(int32 part, int32 begin) const {
    return part < kKnownParts ? part_ends_[part] : look_for_end(begin);
  }

  /// Compares the bytes of the parts between `%`: the first and the last where they must be, the others one after the
  /// other.
  ACC_HD bool matches_plain(types::StringRef text) const {
    int32 begin = 0;
    int32 end = end_of_part(0, 0);
    const types::StringRef first = types::slice(pattern_, 0, end);
    if (end == pattern_.length) return text == first;
    if (!types::starts_with(text, first)) return false;
    int32 position = first.length;
    for (int32 number = 1;; ++number) {
      begin = end + 1;
      end = end_of_part(number, begin);
      const types::StringRef part = types::slice(pattern_, begin, end);
      if (end == pattern_.length) return text.length - position >= part.length && types::ends_with(text, part);
      if (part.length == 0) continue;
      const int32 found = types::find(text, part, position);
      if (found < 0) return false;
      position = found + part.length;
    }
  }

  /// Goes through text and pattern together, and back to the last `%` where they differ.
  ACC_HD bool matches_any(types::StringRef text) const {
    int32 at = 0;
    int32 token_at = 0;
    int32 retry_at = 0;
    int32 retry_token_at = -1;
    while (at < text.length) {
      if (token_at < pattern_.length) {
        const int32 token = read_token(token_at);
        if (token == kMany) {
          retry_at = at;
          retry_token_at = token_at;
          continue;
        }
        const int32 character = types::decode_character(text, at);
        if (token == kOne || token == character) continue;
      }
      if (retry_token_at < 0) return false;
      types::decode_character(text, retry_at);
      at = retry_at;
      token_at = retry_token_at;
    }
    while (token_at < pattern_.length) {
      if (read_token(token_at) != kMany) return false;
    }
    return true;
  }

  types::StringRef pattern_;
  int32 escape_ = 0;
  bool is_valid_ = true;
  bool is_plain_ = true;
  int32 part_ends_[kKnownParts];
};

}  // namespace accelerant::functions
