#pragma once

#include "types/decimal.h"
#include "types/text.h"

namespace accelerant::functions {

/// A sign, 38 digits, a point and a zero before it; or an exponent of three characters behind.
using DecimalText = types::Text<44>;

/// Writes a decimal without an exponent (java.math.BigDecimal.toPlainString).
ACC_HD inline DecimalText plain_decimal(int128 value, int32 scale) {
  DecimalText text;
  if (value < 0) text.add('-');
  const uint128 absolute = types::magnitude(value);
  const uint128 unit = static_cast<uint128>(types::power_of_ten(scale));
  text.add_digits(absolute / unit);
  if (scale > 0) {
    text.add('.');
    text.add_digits(absolute % unit, scale);
  }
  return text;
}

/// Writes a decimal, with an exponent if it is far below 1 (java.math.BigDecimal.toString).
ACC_HD inline DecimalText scientific_decimal(int128 value, int32 scale) {
  const uint128 absolute = types::magnitude(value);
  int32 more_digits = 0;  // behind the first
  uint128 unit = 1;
  for (; absolute / unit >= 10; ++more_digits) unit *= 10;
  const int32 exponent = more_digits - scale;
  if (exponent >= -6) return plain_decimal(value, scale);
  DecimalText text;
  if (value < 0) text.add('-');
  text.add_digits(absolute / unit);
  if (more_digits > 0) {
    text.add('.');
    text.add_digits(absolute % unit, more_digits);
  }
  text.add("E-");
  text.add_digits(static_cast<uint32>(-exponent));
  return text;
}

}  // namespace accelerant::functions
