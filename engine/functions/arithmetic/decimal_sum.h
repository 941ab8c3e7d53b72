#pragma once

#include "functions/error_codes.h"
#include "types/decimal.h"

namespace accelerant::functions {

/// Bounds of a decimal sum where it is exact, that is where no digit is dropped.
ACC_HD constexpr types::DecimalRange decimal_sum_range(types::DecimalRange lhs, types::DecimalRange rhs,
                                                       const types::DecimalContext& context) {
  const int32 scale = context.common_scale();
  if (context.result_scale != scale) return types::DecimalRange::unknown();
  return lhs.scaled_up(scale - context.left_scale).plus(rhs.scaled_up(scale - context.right_scale));
}

/// Adds decimals exactly and rounds to the result's scale.
template <class E>
ACC_HD inline int128 decimal_sum(int128 lhs, int128 rhs, const types::DecimalContext& context, E& error) {
  using types::magnitude;
  using Wide = types::WideUnsigned<9>;
  const int32 scale = context.common_scale();
  if (context.left_scale == context.right_scale && scale == context.result_scale) {
    const bool same_sign = (lhs < 0) == (rhs < 0);
    const uint128 total = same_sign ? magnitude(lhs) + magnitude(rhs) : magnitude(lhs + rhs);
    const bool fits = total < static_cast<uint128>(context.limit);
    error |= fits ? E{0} : static_cast<E>(kDecimalOverflow);
    return fits ? static_cast<int128>(static_cast<uint128>(lhs) + static_cast<uint128>(rhs)) : 0;
  }
  Wide left = Wide::of(magnitude(lhs));
  left.multiply_power_of_ten(scale - context.left_scale);
  Wide right = Wide::of(magnitude(rhs));
  right.multiply_power_of_ten(scale - context.right_scale);
  bool negative = lhs < 0;
  if ((lhs < 0) == (rhs < 0)) {
    left.add(right);
  } else if (left.compare(right) >= 0) {
    left.subtract(right);
  } else {
    right.subtract(left);
    left = right;
    negative = rhs < 0;
  }
  left.divide_power_of_ten_half_up(scale - context.result_scale);
  return types::signed_within(left, negative, context.limit, static_cast<E>(kDecimalOverflow), error);
}

}  // namespace accelerant::functions
