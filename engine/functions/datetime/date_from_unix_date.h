#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct DateFromUnixDate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DateFromUnixDate",
      .sql = "date_from_unix_date(days)",
      .text = "Returns the date that many days after 1970-01-01.",
  };
  using Signatures = From<types::DateType, types::IntType>;
  static constexpr Example kExamples[] = {
      {{"1 int"}, "1970-01-02 date"},
      {{"-141438 int"}, "1582-10-04 date"},
      {{"null int"}, "null date"},
  };

  ACC_HD static int32 call(int32 days) { return days; }
};

}  // namespace accelerant::functions
