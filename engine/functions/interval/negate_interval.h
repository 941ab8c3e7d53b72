#pragma once

#include "functions/definition.h"
#include "functions/interval/exact.h"

namespace accelerant::functions {

struct NegateInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnaryMinus",
      .sql = "- interval",
      .text = "Returns the negated interval.",
  };
  using Signatures = UnarySame<types::DayTimeIntervalType, types::YearMonthIntervalType>;
  static constexpr Example kExamples[] = {
      {{"1 micros"}, "-1 micros"},
      {{"-5 months"}, "5 months"},
      {{"-9223372036854775808 micros"}, "null micros", kOutOfRange},
      {{"-2147483648 months"}, "null months", kOutOfRange},
      {{"null months"}, "null months"},
  };

  template <class T, class E>
  ACC_HD static T call(T value, E& error) {
    return exact_interval<T>(-static_cast<int128>(value), error);
  }
};

}  // namespace accelerant::functions
