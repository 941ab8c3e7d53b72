#pragma once

#include "functions/definition.h"
#include "functions/interval/exact.h"

namespace accelerant::functions {

struct MultiplyDTInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MultiplyDTInterval",
      .sql = "interval * number",
      .text = "Returns an interval that many times.",
  };
  using Signatures = SignatureList<Signature<types::DayTimeIntervalType, types::DayTimeIntervalType, types::ByteType>,
                                   Signature<types::DayTimeIntervalType, types::DayTimeIntervalType, types::ShortType>,
                                   Signature<types::DayTimeIntervalType, types::DayTimeIntervalType, types::IntType>,
                                   Signature<types::DayTimeIntervalType, types::DayTimeIntervalType, types::LongType>>;
  static constexpr Example kExamples[] = {
      {{"5 micros", "-3 int"}, "-15 micros"},
      {{"5 micros", "100 tinyint"}, "500 micros"},
      {{"5 micros", "7 bigint"}, "35 micros"},
      {{"9223372036854775807 micros", "2 smallint"}, "null micros", kOutOfRange},
      {{"null micros", "2 bigint"}, "null micros"},
  };

  template <class T, class Factor, class E>
  ACC_HD static T call(T interval, Factor factor, E& error) {
    return exact_interval<T>(static_cast<int128>(interval) * factor, error);
  }
};

}  // namespace accelerant::functions
