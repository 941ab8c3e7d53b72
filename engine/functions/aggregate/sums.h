#pragma once

// What Sum and Average have in common.

#include "functions/aggregate/binned_sum.h"
#include "functions/aggregate/definition.h"
#include "functions/aggregate/exact_sum.h"
#include "functions/aggregate/sum_in_order.h"

namespace accelerant::functions {

/// The state of Sum and Average over a type.
template <class T>
struct SumOf {
  using State = ExactSum;
  using InOrder = void;
};
template <>
struct SumOf<float> {
  using State = BinnedSum;
  using InOrder = SumInOrder;
};
template <>
struct SumOf<double> {
  using State = BinnedSum;
  using InOrder = SumInOrder;
};

/// Spark's sums of decimals have as many digits more than their values, up to all there are.
inline constexpr int32 kMoreSumDigits = 10;
inline constexpr int32 kMostDigits = 38;

/// Says whether sums of decimals may have too many digits: where there is room for all of kMoreSumDigits, as many rows
/// never come together.
ACC_HD constexpr bool decimal_sum_can_fail(const types::DecimalContext& context) {
  return context.left_precision + kMoreSumDigits > kMostDigits;
}

/// What an ANSI error of a sum of decimals is: Spark names the value, or the sum, or has an answer, by where its sums
/// of partitions first leave the type.
inline constexpr uint8 kDecimalSumOverflow = kOverflow | kNeedsSpark;

/// What an overflow of a sum of intervals is: it fails in every mode, by where Spark's sums first leave the type.
inline constexpr uint8 kIntervalSumOverflow = kOverflow | kNeedsSpark;

/// What sums of intervals take and give.
using SummedIntervals = UnarySame<types::DayTimeIntervalType, types::YearMonthIntervalType>;

/// Says whether a sum is a value of an integral type.
template <class R>
ACC_HD bool fits(const ExactSum& sum) {
  return sum.fits_int128() && sum.value() == static_cast<R>(sum.value());
}

/// Says whether a sum's magnitude is below a limit.
ACC_HD inline bool lies_below(const ExactSum& sum, int128 limit) {
  return sum.fits_int128() && types::magnitude(sum.value()) < static_cast<uint128>(limit);
}

}  // namespace accelerant::functions
