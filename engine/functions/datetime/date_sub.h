#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct DateSub {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DateSub",
      .sql = "date_sub(start_date, num_days)",
      .text = "Returns the date that many days earlier; wraps around.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::DateType, types::ByteType>,
                                   Signature<types::DateType, types::DateType, types::ShortType>,
                                   Signature<types::DateType, types::DateType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"1994-02-01 date", "31 int"}, "1994-01-01 date"},
      {{"1998-12-01 date", "90 smallint"}, "1998-09-02 date"},
      {{"1994-01-01 date", "null int"}, "null date"},
      {{"0001-01-01 date", "1 tinyint"}, "0000-12-31 date"},
  };

  template <Integer T>
  ACC_HD static int32 call(int32 date, T days) {
    return wrapping_subtract(date, static_cast<int32>(days));
  }
};

}  // namespace accelerant::functions
