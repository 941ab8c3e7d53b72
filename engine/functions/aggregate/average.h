#pragma once

#include "functions/aggregate/sums.h"
#include "functions/arithmetic/integer.h"

namespace accelerant::functions {

/// The state of Average over rows in order. Spark adds integers up as doubles, which those of 64 bits are not all.
template <class T>
struct AveragedInOrder {
  using Type = typename SumOf<T>::InOrder;
};
template <>
struct AveragedInOrder<int64> {
  using Type = SumInOrder;
};

struct Average {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Average",
      .sql = "avg(expr)",
      .text = "Returns the mean of the values that are not null, from their sum as sum has it.",
      .fields = {"child"},
  };
  using Signatures =
      Concatenate<From<types::DoubleType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                       types::FloatType, types::DoubleType>,
                  SignatureList<Signature<types::DecimalType, types::DecimalType>>, SummedIntervals>::Type;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 4 int", "2.5 double"},
      {"null smallint", "null double"},
      {"9223372036854775807 bigint | 9223372036854775807 bigint", "9223372036854775807 double"},
      {"1e16 double | 1 double | -1e16 double | 1 double", "0.5 double"},
      {"1.50 decimal(10,2) | 2.75 decimal(10,2) | 2.75 decimal(10,2)", "2.333333 decimal(14,6)"},
      {"-0.05 decimal(3,2) | 0.00 decimal(3,2)", "-0.025000 decimal(7,6)"},
      {"99999999999999999999999999999999999999 decimal(38,0) | 1 decimal(38,0)", "null decimal(38,4)",
       kDecimalSumOverflow},
      {"1 micros | null micros | -4 micros", "-2 micros"},
      {"null months", "null months"},
      {"2147483647 months | 1 months", "null months", kIntervalSumOverflow},
  };

  template <class T>
  using State = typename SumOf<T>::State;
  template <class T>
  using InOrder = typename AveragedInOrder<T>::Type;

  ACC_HD static constexpr bool supports(const types::DecimalContext& context) {
    return context.result_scale >= context.left_scale;
  }
  ACC_HD static constexpr bool can_fail(uint8 type, const types::DecimalContext& context) {
    return is_interval(type) || (type == types::DecimalType::kId && decimal_sum_can_fail(context));
  }

  template <class R>
  ACC_HD static types::Nullable<R> finish(const ExactSum& sum, const AggregateContext& context, uint8& error) {
    if (sum.count == 0) return {R{}, false};
    if constexpr (kSameType<R, double>) {
      return {static_cast<double>(sum.value()) / static_cast<double>(sum.count), true};
    } else if constexpr (sizeof(R) <= sizeof(int64)) {
      if (fits<R>(sum)) return {static_cast<R>(divide_half_up(sum.value(), sum.count, 0).value), true};
      error |= kIntervalSumOverflow;
      return {R{}, false};
    } else {
      const types::DecimalContext& decimals = context.decimals;
      const int32 digits = decimals.left_precision + kMoreSumDigits;
      if (lies_below(sum, types::power_of_ten(digits < kMostDigits ? digits : kMostDigits))) {
        const types::Nullable<int128> mean =
            divide_half_up(sum.value(), sum.count, decimals.result_scale - decimals.left_scale);
        if (mean.valid && types::magnitude(mean.value) < static_cast<uint128>(decimals.limit)) return mean;
      }
      error |= kDecimalSumOverflow;
      return {R{}, false};
    }
  }
  template <class R>
  ACC_HD static types::Nullable<R> finish(const BinnedSum& sum, const AggregateContext&, uint8&) {
    return {sum.count > 0 ? sum.value() / static_cast<double>(sum.count) : 0, sum.count > 0};
  }
  template <class R>
  ACC_HD static types::Nullable<R> finish(const SumInOrder& sum, const AggregateContext&, uint8&) {
    return {sum.count > 0 ? sum.sum / static_cast<double>(sum.count) : 0, sum.count > 0};
  }

 private:
  /// Returns dividend * 10^more_digits / divisor, rounded half up (away from zero); null if it has too many digits.
  /// @param divisor positive
  ACC_HD static types::Nullable<int128> divide_half_up(int128 dividend, int64 divisor, int32 more_digits) {
    const auto unsigned_divisor = static_cast<uint64>(divisor);
    const uint128 magnitude = types::magnitude(dividend);
    uint128 result = magnitude / unsigned_divisor;
    uint128 remainder = magnitude % unsigned_divisor;
    const auto bound = static_cast<uint128>(types::power_of_ten(kMostDigits));
    for (int32 digit = 0; digit < more_digits; ++digit) {
      if (result >= bound / 10) return {0, false};
      remainder *= 10;
      result = result * 10 + remainder / unsigned_divisor;
      remainder %= unsigned_divisor;
    }
    if (remainder * 2 >= unsigned_divisor) ++result;
    if (result >= bound) return {0, false};
    return {dividend < 0 ? -static_cast<int128>(result) : static_cast<int128>(result), true};
  }
};

}  // namespace accelerant::functions
