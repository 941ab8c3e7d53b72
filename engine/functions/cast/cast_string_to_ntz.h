#pragma once

#include "functions/datetime/parse_time.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToNtz {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Parses a local timestamp, whatever zone it says; null in legacy mode where the text is none.",
      .needs_spark = true,
  };
  using Signatures = From<types::TimestampNtzType, types::StringType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 12:30:00 string"}, "2024-07-01 12:30:00 timestamp_ntz"},
      {{"2024-07-01 12:30:00.5+02:00 string"}, "2024-07-01 12:30:00.5 timestamp_ntz"},
      {{"-0001-07-01 string"}, "-0001-07-01 00:00:00 timestamp_ntz"},
      {{"12:30:00 string"}, "null timestamp_ntz", kCastInvalid},
      {{"2024-06-31 12:30:00 string"}, "null timestamp_ntz", kCastInvalid},
      {{"2024-07-01 12:30:00 Mars string"}, "null timestamp_ntz", kNeedsSpark},
      {{"null string"}, "null timestamp_ntz"},
  };

  template <class E>
  ACC_HD static int64 call(types::StringRef text, E& error) {
    const ParsedTime time = parse_timestamp(text);
    E overflow = 0;
    const int64 micros = micros_of(time.local, overflow);
    if (!time.has_date || overflow) {
      error |= static_cast<E>(kCastInvalid);
    } else if (time.kind == ParsedTime::Kind::NeedsSpark) {
      error |= static_cast<E>(kNeedsSpark);
    }
    return micros;
  }
};

}  // namespace accelerant::functions
