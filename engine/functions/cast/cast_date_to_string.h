#pragma once

#include "functions/datetime/print_time.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastDateToString {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Prints a date.",
      .setting = {"spark.sql.legacy.timeParserPolicy", "CORRECTED"},
  };
  using Signatures = From<types::StringType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2024-02-29 date"}, "2024-02-29 string"},
      {{"0001-01-01 date"}, "0001-01-01 string"},
      {{"0 date"}, "1970-01-01 string"},
      {{"10000-01-01 date"}, "+10000-01-01 string"},
      {{"-44-03-15 date"}, "-0044-03-15 string"},
      {{"-2147483648 date"}, "-5877641-06-23 string"},
      {{"null date"}, "null string"},
  };

  ACC_HD static types::Text<16> call(int32 date) {
    types::Text<16> text;
    add_date(text, date);
    return text;
  }
};

}  // namespace accelerant::functions
