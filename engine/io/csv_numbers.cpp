#include "io/csv_numbers.h"

#include "functions/cast/decimal_parser.h"
#include "functions/cast/floating_parser.h"
#include "io/exact_floating.h"
#include "types/ascii.h"

#include <limits>

namespace accelerant::io {

using types::StringRef;

namespace {

/// The digits of a plain number.
struct PlainNumber {
  uint64_t digits = 0;       ///< as a number, where there are not more than 19
  int32_t num_digits = 0;    ///< with zeros in front
  int32_t num_fraction = 0;  ///< of them behind the point
  int32_t exponent = 0;
  bool is_negative = false;
};

constexpr int32_t kMostWordDigits = 19;
constexpr int32_t kMostExponentDigits = 4;

/// Reads the digits from `at` on and returns where they end.
int32_t take_digits(StringRef text, int32_t at, PlainNumber& number) {
  for (; at < text.length && types::is_digit(text.data[at]); ++at) {
    number.digits = number.digits * 10 + static_cast<uint64_t>(text.data[at] - '0');
    ++number.num_digits;
  }
  return at;
}

/// Reads an exponent behind its letter; false where it is not plain.
bool take_exponent(StringRef text, int32_t at, int32_t& exponent) {
  const bool has_sign = at < text.length && (text.data[at] == '-' || text.data[at] == '+');
  const bool is_negative = has_sign && text.data[at] == '-';
  at += has_sign;
  if (at == text.length || text.length - at > kMostExponentDigits) return false;
  for (; at < text.length; ++at) {
    if (!types::is_digit(text.data[at])) return false;
    exponent = exponent * 10 + (text.data[at] - '0');
  }
  if (is_negative) exponent = -exponent;
  return true;
}

std::optional<PlainNumber> read_number(StringRef text, bool may_have_exponent) {
  PlainNumber number;
  const bool has_sign = text.length > 0 && (text.data[0] == '-' || text.data[0] == '+');
  number.is_negative = has_sign && text.data[0] == '-';
  int32_t at = take_digits(text, has_sign, number);
  if (at < text.length && text.data[at] == '.') {
    const int32_t before = number.num_digits;
    at = take_digits(text, at + 1, number);
    number.num_fraction = number.num_digits - before;
  }
  if (number.num_digits == 0) return std::nullopt;
  if (at == text.length) return number;
  const bool has_exponent = may_have_exponent && (text.data[at] | 0x20) == 'e';
  if (!has_exponent || !take_exponent(text, at + 1, number.exponent)) return std::nullopt;
  return number;
}

template <class F>
std::optional<F> read_floating(StringRef text) {
  const std::optional<PlainNumber> number = read_number(text, true);
  if (!number) return std::nullopt;
  std::optional<F> value;
  if (number->num_digits <= kMostWordDigits) {
    value = exact_floating<F>(number->digits, number->exponent - number->num_fraction);
  }
  if (!value) {
    const bool has_sign = !types::is_digit(text.data[0]) && text.data[0] != '.';
    value = functions::FloatingParser<F>({text.data + has_sign, text.length - has_sign}, has_sign).value();
  }
  return number->is_negative ? -*value : *value;
}

}  // namespace

std::optional<int64_t> read_plain_integer(StringRef text) {
  const std::optional<PlainNumber> number = read_number(text, false);
  const bool is_integer = number && number->num_digits <= kMostWordDigits &&
                          types::is_digit(text.data[text.length - 1]) && number->num_fraction == 0;
  if (!is_integer) return std::nullopt;
  constexpr auto kLargest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (number->digits > kLargest + number->is_negative) return std::nullopt;
  return static_cast<int64_t>(number->is_negative ? 0 - number->digits : number->digits);
}

std::optional<double> read_plain_double(StringRef text) { return read_floating<double>(text); }

std::optional<float> read_plain_float(StringRef text) { return read_floating<float>(text); }

std::optional<int128> read_plain_decimal(StringRef text, int precision, int scale) {
  const std::optional<PlainNumber> number = read_number(text, false);
  if (!number) return std::nullopt;
  if (number->num_digits > kMostWordDigits || number->num_fraction > scale) {
    uint8_t error = 0;
    const int128 rounded = functions::DecimalParser(text).rounded(precision, scale, uint8_t{1}, error);
    return error ? std::nullopt : std::optional(rounded);
  }
  const int missing = scale - number->num_fraction;
  if (number->num_digits + missing > 38) return std::nullopt;
  const int128 value = static_cast<int128>(number->digits) * types::power_of_ten(missing);
  if (value >= types::power_of_ten(precision)) return std::nullopt;
  return number->is_negative ? -value : value;
}

}  // namespace accelerant::io
