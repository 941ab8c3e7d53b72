#pragma once

#include "functions/datetime/trunc_level.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TruncDate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TruncDate",
      .sql = "trunc(date, format)",
      .text = "Returns the first date of the week, month, quarter or year; null for another format.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::DateType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"2019-08-04 date", "week string"}, "2019-07-29 date"},
      {{"2019-08-05 date", "WEEK string"}, "2019-08-05 date"},
      {{"2019-08-04 date", "mon string"}, "2019-08-01 date"},
      {{"2019-08-04 date", "quarter string"}, "2019-07-01 date"},
      {{"2020-12-31 date", "YYYY string"}, "2020-01-01 date"},
      {{"2019-08-04 date", "hour string"}, "null date"},
      {{"2019-08-04 date", "years string"}, "null date"},
      {{"-2147483648 date", "quarter string"}, "null date", kOutOfRange},
      {{"null date", "year string"}, "null date"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_truncation(call, kDescription.spark_class);
  }

  template <class E>
  ACC_HD static types::Nullable<int32> call(int32 date, types::StringRef format, E& error) {
    const TruncLevel level = parse_trunc_level(format);
    if (level < TruncLevel::Week) return {0, false};
    return {truncate_date(date, level, error), true};
  }
};

}  // namespace accelerant::functions
