#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct DateAdd {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DateAdd",
      .sql = "date_add(start_date, num_days)",
      .text = "Returns the date that many days later; wraps around.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::DateType, types::ByteType>,
                                   Signature<types::DateType, types::DateType, types::ShortType>,
                                   Signature<types::DateType, types::DateType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"1994-01-01 date", "31 int"}, "1994-02-01 date"},
      {{"1994-01-01 date", "-1 int"}, "1993-12-31 date"},
      {{"null date", "1 int"}, "null date"},
      {{"2000-02-28 date", "1 tinyint"}, "2000-02-29 date"},
      {{"1998-12-01 date", "-90 smallint"}, "1998-09-02 date"},
  };

  template <Integer T>
  ACC_HD static int32 call(int32 date, T days) {
    return wrapping_add(date, static_cast<int32>(days));
  }
};

}  // namespace accelerant::functions
