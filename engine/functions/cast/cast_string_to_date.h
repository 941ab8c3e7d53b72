#pragma once

#include "functions/datetime/parse_time.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToDate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Parses a date; null in legacy mode where the text is none.",
      .fails_only_in_ansi = true,
  };
  using Signatures = From<types::DateType, types::StringType>;
  static constexpr Example kExamples[] = {
      {{"2024-02-29 string"}, "2024-02-29 date"},
      {{" 2024-2-9 string"}, "2024-02-09 date"},
      {{"2024 string"}, "2024-01-01 date"},
      {{"2024-05 string"}, "2024-05-01 date"},
      {{"2024-05-06T string"}, "2024-05-06 date"},
      {{"2024-05-06 and more string"}, "2024-05-06 date"},
      {{"-0044-03-15 string"}, "-0044-03-15 date"},
      {{"+10000-01-01 string"}, "10000-01-01 date"},
      {{"24-05-06 string"}, "null date", kCastInvalid},
      {{"2023-02-29 string"}, "null date", kCastInvalid},
      {{"2024-05-06x string"}, "null date", kCastInvalid},
      {{"2024- string"}, "null date", kCastInvalid},
      {{"2024-005-01 string"}, "null date", kCastInvalid},
      {{"9999999-01-01 string"}, "null date", kCastInvalid},
      {{" string"}, "null date", kCastInvalid},
      {{"null string"}, "null date"},
  };

  template <class E>
  ACC_HD static int32 call(types::StringRef text, E& error) {
    int32 days = 0;
    error |= parse_date(text, days) ? E{0} : static_cast<E>(kCastInvalid);
    return days;
  }
};

}  // namespace accelerant::functions
