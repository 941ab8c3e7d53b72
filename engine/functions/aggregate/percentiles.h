#pragma once

// What Percentile and PercentileDisc have in common.

#include "functions/aggregate/order_statistic.h"
#include "functions/arithmetic/integer.h"
#include "types/floating.h"

namespace accelerant::functions {

/// Values of a group by their place in the order that a call asks for.
template <class T>
class RankedValues {
 public:
  /// @param values at least one
  ACC_HD RankedValues(List<T> values, const AggregateContext& context)
      : length_(values.length),
        descending_(context.options.descending),
        scale_(context.decimals.left_scale),
        ordered_(values) {}

  ACC_HD int64 length() const { return length_; }
  ACC_HD T at(int64 place) const { return ordered_.at(descending_ ? length_ - 1 - place : place); }
  /// Returns a value as Spark computes with it.
  ACC_HD double number(T value) const {
    if constexpr (sizeof(T) >= sizeof(int64) && !kSameType<T, double>) {
      if (scale_ > 0 || sizeof(T) > sizeof(int64)) return types::to_floating<double>(value, scale_);
    }
    return static_cast<double>(value);
  }

 private:
  int64 length_;
  bool descending_;
  int32 scale_;  ///< of decimals
  OrderStatistic<T> ordered_;
};

/// Returns a percentile as Java turns doubles into what intervals are made of; other percentiles are doubles.
template <class R>
ACC_HD R percentile_as(double value) {
  if constexpr (kSameType<R, double>) {
    return value;
  } else {
    return types::saturate<R>(value);
  }
}

inline constexpr AggregateFlag kDescending = {"reverse", &AggregateOptions::descending};

/// One percentile, and several.
template <class Result, class... Types>
using PercentilesOf = Concatenate<SignatureList<Signature<Result, Types, types::DoubleType>...>,
                                  SignatureList<Signature<EachOf<Result>, Types, types::ArrayType>...>>;
using Percentiles =
    Concatenate<typename PercentilesOf<types::DoubleType, types::ByteType, types::ShortType, types::IntType,
                                       types::LongType, types::FloatType, types::DoubleType, types::DecimalType>::Type,
                typename PercentilesOf<types::DayTimeIntervalType, types::DayTimeIntervalType>::Type,
                typename PercentilesOf<types::YearMonthIntervalType, types::YearMonthIntervalType>::Type>::Type;

}  // namespace accelerant::functions
