#pragma once

#include "functions/definition.h"
#include "functions/interval/exact.h"

namespace accelerant::functions {

struct MultiplyYMInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MultiplyYMInterval",
      .sql = "interval * number",
      .text = "Returns an interval that many times.",
  };
  using Signatures =
      SignatureList<Signature<types::YearMonthIntervalType, types::YearMonthIntervalType, types::ByteType>,
                    Signature<types::YearMonthIntervalType, types::YearMonthIntervalType, types::ShortType>,
                    Signature<types::YearMonthIntervalType, types::YearMonthIntervalType, types::IntType>,
                    Signature<types::YearMonthIntervalType, types::YearMonthIntervalType, types::LongType>>;
  static constexpr Example kExamples[] = {
      {{"5 months", "-3 int"}, "-15 months"},       {{"5 months", "100 tinyint"}, "500 months"},
      {{"5 months", "7 bigint"}, "35 months"},      {{"2147483647 months", "2 smallint"}, "null months", kOutOfRange},
      {{"null months", "2 bigint"}, "null months"},
  };

  template <class T, class Factor, class E>
  ACC_HD static T call(T interval, Factor factor, E& error) {
    return exact_interval<T>(static_cast<int128>(interval) * factor, error);
  }
};

}  // namespace accelerant::functions
