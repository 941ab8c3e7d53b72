#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct UnixDate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnixDate",
      .sql = "unix_date(date)",
      .text = "Returns the days since 1970-01-01.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1970-01-02 date"}, "1 int"},
      {{"1582-10-04 date"}, "-141438 int"},
      {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return date; }
};

}  // namespace accelerant::functions
