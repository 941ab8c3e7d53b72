#pragma once

#include "functions/aggregate/sums.h"

namespace accelerant::functions {

struct Sum {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Sum",
      .sql = "sum(expr)",
      .text =
          "Returns the sum of the values that are not null; of many floating-point numbers the same in every order.",
      .fields = {"child"},
  };
  using Signatures =
      Concatenate<From<types::LongType, types::ByteType, types::ShortType, types::IntType, types::LongType>,
                  From<types::DoubleType, types::FloatType, types::DoubleType>,
                  SignatureList<Signature<types::DecimalType, types::DecimalType>>, SummedIntervals>::Type;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 3 int", "4 bigint"},
      {"null smallint", "null bigint"},
      {"100 tinyint | 100 tinyint", "200 bigint"},
      {"9223372036854775807 bigint | 1 bigint", "-9223372036854775808 bigint", kOverflow},
      {"9223372036854775807 bigint | 1 bigint | -1 bigint", "9223372036854775807 bigint"},
      {"1e16 double | 1 double | -1e16 double | null double", "1 double"},
      {"1 float | inf float | -inf float", "nan double"},
      {"1.50 decimal(10,2) | 2.75 decimal(10,2)", "4.25 decimal(20,2)"},
      {"99999999999999999999999999999999999999 decimal(38,0) | 1 decimal(38,0)", "null decimal(38,0)",
       kDecimalSumOverflow},
      {"1 micros | null micros | -3 micros", "-2 micros"},
      {"2147483647 months | 1 months", "-2147483648 months", kIntervalSumOverflow},
  };

  template <class T>
  using State = typename SumOf<T>::State;
  template <class T>
  using InOrder = typename SumOf<T>::InOrder;

  ACC_HD static constexpr bool supports(const types::DecimalContext& context) {
    return context.result_scale == context.left_scale;
  }
  ACC_HD static constexpr bool can_fail(uint8 type, const types::DecimalContext& context) {
    if (type == types::DecimalType::kId) return decimal_sum_can_fail(context);
    return type != types::FloatType::kId && type != types::DoubleType::kId;
  }

  template <class R>
  ACC_HD static types::Nullable<R> finish(const ExactSum& sum, const AggregateContext& context, uint8& error) {
    const auto value = static_cast<R>(sum.value());
    if constexpr (sizeof(R) <= sizeof(int64)) {
      if (!fits<R>(sum)) error |= context.gives_intervals ? kIntervalSumOverflow : uint8{kOverflow};
      return {value, sum.count > 0};
    } else {
      const bool fits = lies_below(sum, context.decimals.limit);
      if (!fits) error |= kDecimalSumOverflow;
      return {value, fits && sum.count > 0};
    }
  }
  template <class R>
  ACC_HD static types::Nullable<R> finish(const BinnedSum& sum, const AggregateContext&, uint8&) {
    return {sum.value(), sum.count > 0};
  }
  template <class R>
  ACC_HD static types::Nullable<R> finish(const SumInOrder& sum, const AggregateContext&, uint8&) {
    return {sum.sum, sum.count > 0};
  }
};

}  // namespace accelerant::functions
