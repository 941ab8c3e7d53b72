#pragma once

#include "functions/datetime/months.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct AddMonths {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.AddMonths",
      .sql = "add_months(start_date, num_months)",
      .text = "Returns the date that many months later, on the last day of the month where it has no such day.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::DateType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"2016-08-31 date", "1 int"}, "2016-09-30 date"},
      {{"2016-02-29 date", "-12 int"}, "2015-02-28 date"},
      {{"2016-01-31 date", "-1 int"}, "2015-12-31 date"},
      {{"1999-12-15 date", "2147483647 int"}, "null date", kOutOfRange},
      {{"null date", "1 int"}, "null date"},
  };

  template <class E>
  ACC_HD static int32 call(int32 date, int32 months, E& error) {
    return add_months_to_date(date, months, error);
  }
};

}  // namespace accelerant::functions
