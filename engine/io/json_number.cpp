#include "io/json_number.h"

#include "functions/cast/decimal_parser.h"
#include "functions/cast/floating_parser.h"
#include "io/exact_floating.h"
#include "types/decimal.h"

#include <cmath>

namespace accelerant::io {

namespace {

/// Integers up to it are doubles.
constexpr uint64_t kMaxExact = uint64_t{1} << 53;

/// Java's rounding of longer texts is not relied on.
constexpr int32 kMaxTextBytes = 60;

template <class T>
bool parse_floating(const JsonNumber& number, T& value) {
  if (number.text.length > kMaxTextBytes) return false;
  const functions::FloatingParser<T> parser(number.text, false);
  value = number.is_negative ? -parser.value() : parser.value();
  return parser.is_valid() && std::isfinite(value);
}

}  // namespace

bool to_floating(const JsonNumber& number, double& value) {
  if (number.is_integer) {
    value = static_cast<double>(number.signed_digits());
    return number.has_digits() && !(number.is_negative && number.digits == 0);
  }
  if (!number.has_digits() || number.has_exponent) return parse_floating(number, value);
  const auto exact = exact_floating<double>(number.digits, static_cast<int32_t>(-number.num_fraction_digits));
  if (!exact) return parse_floating(number, value);
  value = number.is_negative ? -*exact : *exact;
  return true;
}

bool to_floating(const JsonNumber& number, float& value) {
  // Jackson may go by a double: only where that gives the same number, it is certain.
  double wide;
  if (!to_floating(number, wide)) return false;
  value = static_cast<float>(wide);
  if (number.is_integer) return number.digits <= kMaxExact;
  float parsed;
  return parse_floating(number, parsed) && parsed == value;
}

bool to_decimal(const JsonNumber& number, const types::DataType& type, int128& value) {
  if (number.has_exponent || number.text.length > kMaxTextBytes) return false;
  const int64_t more_digits = type.scale() - number.num_fraction_digits;
  const bool fits = number.has_digits() && more_digits >= 0 && number.num_digits + more_digits <= 38;
  if (fits) {
    value = static_cast<int128>(number.signed_digits()) * types::power_of_ten(static_cast<int32>(more_digits));
    return types::magnitude(value) < static_cast<uint128>(types::power_of_ten(type.precision()));
  }
  const functions::DecimalParser parser(number.text);
  uint8_t error = 0;
  value = parser.rounded(type.precision(), type.scale(), uint8_t{1}, error);
  if (number.is_negative) value = -value;
  return parser.is_valid() && error == 0;
}

}  // namespace accelerant::io
