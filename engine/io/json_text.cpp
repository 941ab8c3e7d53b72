#include "io/json_text.h"

#include "types/ascii.h"
#include "types/utf8.h"

#include <cstring>

namespace accelerant::io {

namespace {

int32 hexadecimal_value(char c) {
  if (types::is_digit(c)) return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// Returns the character that a backslash and a letter stand for, or -1.
int32 short_escape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return -1;
  }
}

}  // namespace

bool JsonText::take_code_unit(int32& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int32 digit = hexadecimal_value(peek());
    if (digit < 0) return false;
    unit = unit << 4 | digit;
    ++next_;
  }
  return true;
}

bool JsonText::take_escape(int32& character) {
  ++next_;
  if (take('u')) return take_code_unit(character);
  character = short_escape(peek());
  if (character < 0) return false;
  ++next_;
  return true;
}

bool JsonText::skip_string() {
  while (true) {
    take_plain();
    if (take('"')) return true;
    int32 character;
    if (peek() != '\\' || !take_escape(character)) return false;
  }
}

bool JsonText::skip_name() {
  while (true) {
    take_plain();
    if (take('"')) return true;
    int32 character;
    if (peek() != '\\' || !take_escape(character) || is_surrogate(character)) return false;
  }
}

bool JsonText::take_digits(JsonNumber& number) {
  const char* begin = next_;
  uint64 digits = number.digits;
  for (; next_ != end_ && types::is_digit(*next_); ++next_) digits = digits * 10 + static_cast<uint64>(*next_ - '0');
  number.digits = digits;
  number.num_digits += next_ - begin;
  return next_ != begin;
}

bool JsonText::take_exponent() {
  if (peek() == '+' || peek() == '-') ++next_;
  JsonNumber exponent;
  return take_digits(exponent);
}

bool JsonText::take_number(JsonNumber& number) {
  number = {};
  number.is_negative = take('-');
  const char* begin = next_;
  const bool begins_with_zero = peek() == '0';
  if (!take_digits(number) || (begins_with_zero && number.num_digits > 1)) return false;
  if (take('.')) {
    const int64_t num_digits = number.num_digits;
    number.is_integer = false;
    if (!take_digits(number)) return false;
    number.num_fraction_digits = number.num_digits - num_digits;
  }
  if (peek() == 'e' || peek() == 'E') {
    ++next_;
    number.is_integer = false;
    number.has_exponent = true;
    if (!take_exponent()) return false;
  }
  number.text = {begin, static_cast<int32>(next_ - begin)};
  return next_ - begin <= kMaxNumberBytes;
}

bool JsonText::take_word(const char* word, int32 length) {
  if (end_ - next_ < length || std::memcmp(next_, word, static_cast<size_t>(length)) != 0) return false;
  next_ += length;
  return true;
}

bool JsonText::skip_object(int depth) {
  skip_blanks();
  if (take('}')) return true;
  do {
    skip_blanks();
    const char* begin = next_;
    if (!take('"') || !skip_name() || next_ - begin > kMaxNameBytes) return false;
    skip_blanks();
    if (!take(':') || !skip_value(depth)) return false;
    skip_blanks();
  } while (take(','));
  return take('}');
}

bool JsonText::skip_array(int depth) {
  skip_blanks();
  if (take(']')) return true;
  do {
    if (!skip_value(depth)) return false;
    skip_blanks();
  } while (take(','));
  return take(']');
}

bool JsonText::skip_value(int depth) {
  if (depth > kMaxDepth) return false;
  skip_blanks();
  JsonNumber number;
  switch (peek()) {
    case '"':
      ++next_;
      return skip_string();
    case '{':
      ++next_;
      return skip_object(depth + 1);
    case '[':
      ++next_;
      return skip_array(depth + 1);
    case 't':
      return take_word("true", 4);
    case 'f':
      return take_word("false", 5);
    case 'n':
      return take_word("null", 4);
    default:
      return take_number(number);
  }
}

bool is_utf8(types::StringRef text) {
  int32 i = 0;
  while (i < text.length) {
    for (; text.length - i >= types::kWordBytes && types::are_ascii(text.data + i); i += types::kWordBytes) {
    }
    if (i == text.length) break;
    if (static_cast<uint8>(text.data[i]) < 0x80) {
      ++i;
      continue;
    }
    const int32 begin = i;
    const int32 character = types::decode_character(text, i);
    const bool is_written = i - begin == 3 && std::memcmp(text.data + begin, "\xef\xbf\xbd", 3) == 0;
    if (character == types::kReplacementCharacter && !is_written) return false;
  }
  return true;
}

}  // namespace accelerant::io
