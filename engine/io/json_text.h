#pragma once

#include "types/byte_words.h"
#include "types/integers.h"
#include "types/string_view.h"

#include <bit>
#include <cstdint>

namespace accelerant::io {

/// A number of JSON, taken apart.
struct JsonNumber {
  /// Up to so many digits fit `digits`.
  static constexpr int64_t kMaxDigits = 18;

  types::StringRef text;  ///< without its sign
  bool is_negative = false;
  bool is_integer = true;  ///< has neither point nor exponent
  bool has_exponent = false;
  int64_t num_digits = 0;           ///< before the exponent
  int64_t num_fraction_digits = 0;  ///< of them behind the point
  uint64_t digits = 0;              ///< all of them as one number, if they fit

  bool has_digits() const { return num_digits <= kMaxDigits; }
  int64_t signed_digits() const { return is_negative ? -static_cast<int64_t>(digits) : static_cast<int64_t>(digits); }
};

/// Reads a text as RFC 8259 has JSON, from its start. Each `take` returns false where the text is otherwise; the place
/// is of no use then.
class JsonText {
 public:
  JsonText() = default;
  explicit JsonText(types::StringRef text) : next_(text.data), end_(text.data + text.length) {}

  bool at_end() const { return next_ == end_; }
  const char* place() const { return next_; }
  int64_t num_left() const { return end_ - next_; }
  /// Returns the byte at the place; at the end one that no token begins with.
  char peek() const { return next_ == end_ ? '\0' : *next_; }
  bool take(char byte) {
    if (peek() != byte) return false;
    ++next_;
    return true;
  }
  void skip_blanks() {
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\t' || *next_ == '\n' || *next_ == '\r')) ++next_;
  }

  /// Takes the bytes of a string up to its end, a backslash, or what may not stand in a string. Behind its first quote.
  types::StringRef take_plain() {
    const char* begin = next_;
    while (end_ - next_ >= types::kWordBytes) {
      const uint64 marks = mark_special(types::read_word(next_));
      if (marks != 0) {
        next_ += std::countr_zero(marks) / 8;
        return {begin, static_cast<int32>(next_ - begin)};
      }
      next_ += types::kWordBytes;
    }
    while (next_ != end_ && !is_special(*next_)) ++next_;
    return {begin, static_cast<int32>(next_ - begin)};
  }
  /// Takes what a backslash begins and gives the character that it stands for, perhaps half of a pair.
  bool take_escape(int32& character);
  /// Takes the rest of a string behind its first quote.
  bool skip_string();
  /// Takes the rest of a name likewise; without halves of pairs as escapes, which Jackson does not put together there.
  bool skip_name();
  bool take_number(JsonNumber& number);
  bool take_word(const char* word, int32 length);
  /// Takes a value of any kind.
  /// @param depth of what is around it
  bool skip_value(int depth);

  /// How deep values may be nested: less than Spark allows by itself.
  static constexpr int kMaxDepth = 200;
  /// How many digits a number may have, likewise.
  static constexpr int64_t kMaxNumberBytes = 400;
  /// How long a name may be, likewise.
  static constexpr int32 kMaxNameBytes = 10'000;

 private:
  static uint64 mark_special(uint64 word) {
    constexpr uint64 kFirstPlain = 0x20 * types::kLowestBits;
    const uint64 control = (word - kFirstPlain) & ~word & types::kHighestBits;
    return control | types::mark_zero_bytes(word ^ types::repeat_byte('"')) |
           types::mark_zero_bytes(word ^ types::repeat_byte('\\'));
  }
  static bool is_special(char byte) { return static_cast<uint8>(byte) < 0x20 || byte == '"' || byte == '\\'; }
  /// Takes digits, at least one, into a number.
  bool take_digits(JsonNumber& number);
  bool take_exponent();
  bool take_code_unit(int32& unit);
  bool skip_object(int depth);
  bool skip_array(int depth);

  const char* next_ = nullptr;
  const char* end_ = nullptr;
};

/// Says whether a UTF-16 code unit is half of a pair.
inline bool is_surrogate(int32 unit) { return unit >= 0xd800 && unit < 0xe000; }

/// Says whether a text is UTF-8 without surrogates.
bool is_utf8(types::StringRef text);

}  // namespace accelerant::io
