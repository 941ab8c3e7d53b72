#pragma once

#include "functions/definition.h"
#include "functions/interval/exact.h"

namespace accelerant::functions {

struct AddIntervals {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Add",
      .sql = "interval1 + interval2",
      .text = "Returns the sum of two intervals.",
  };
  using Signatures = SignatureList<
      Signature<types::DayTimeIntervalType, types::DayTimeIntervalType, types::DayTimeIntervalType>,
      Signature<types::YearMonthIntervalType, types::YearMonthIntervalType, types::YearMonthIntervalType>>;
  static constexpr Example kExamples[] = {
      {{"1 micros", "-3 micros"}, "-2 micros"},
      {{"11 months", "3 months"}, "14 months"},
      {{"9223372036854775807 micros", "1 micros"}, "null micros", kOutOfRange},
      {{"-2147483648 months", "-1 months"}, "null months", kOutOfRange},
      {{"null months", "1 months"}, "null months"},
  };

  template <class T, class E>
  ACC_HD static T call(T lhs, T rhs, E& error) {
    return exact_interval<T>(static_cast<int128>(lhs) + rhs, error);
  }
};

}  // namespace accelerant::functions
