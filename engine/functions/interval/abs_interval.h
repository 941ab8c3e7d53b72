#pragma once

#include "functions/definition.h"
#include "functions/interval/exact.h"

namespace accelerant::functions {

struct AbsInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Abs",
      .sql = "abs(interval)",
      .text = "Returns the interval without its sign.",
  };
  using Signatures = UnarySame<types::DayTimeIntervalType, types::YearMonthIntervalType>;
  static constexpr Example kExamples[] = {
      {{"1 micros"}, "1 micros"},
      {{"-5 months"}, "5 months"},
      {{"-9223372036854775808 micros"}, "null micros", kOutOfRange},
      {{"null micros"}, "null micros"},
  };

  template <class T, class E>
  ACC_HD static T call(T value, E& error) {
    return exact_interval<T>(value < 0 ? -static_cast<int128>(value) : value, error);
  }
};

}  // namespace accelerant::functions
