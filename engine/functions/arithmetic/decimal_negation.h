#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/error_codes.h"
#include "types/decimal.h"

namespace accelerant::functions {

/// Negates as Spark does, through Scala's BigDecimal: it rounds to 34 digits, ties to even, whatever the precision of
/// the type.
template <class E>
ACC_HD inline int128 negate_decimal(int128 value, const types::DecimalContext& context, E& error) {
  constexpr uint128 kDigits34 = static_cast<uint128>(types::power_of_ten(34));
  const uint128 absolute = types::magnitude(value);
  if (absolute < kDigits34) return wrapping_negate(value);
  uint128 unit = 1;
  while (absolute / unit >= kDigits34) unit *= 10;
  uint128 kept = absolute / unit;
  const uint128 dropped = absolute - kept * unit;
  kept += dropped * 2 > unit || (dropped * 2 == unit && (kept & 1));
  const uint128 rounded = kept * unit;
  if (rounded >= static_cast<uint128>(context.limit)) {
    error |= static_cast<E>(kOutOfRange);
    return 0;
  }
  return value < 0 ? static_cast<int128>(rounded) : wrapping_negate(static_cast<int128>(rounded));
}

}  // namespace accelerant::functions
