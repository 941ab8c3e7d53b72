#pragma once

#include "functions/datetime/elapsed.h"
#include "functions/datetime/time_unit.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TimestampDiff {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TimestampDiff",
      .sql = "(timestampdiff(unit, start, end))",
      .text = "Returns the whole units between two local times.",
  };
  using Signatures =
      SignatureList<Signature<types::LongType, types::StringType, types::TimestampType, types::TimestampType>,
                    Signature<types::LongType, types::StringType, types::TimestampNtzType, types::TimestampNtzType>>;
  static constexpr Example kExamples[] = {
      {{"HOUR string", "2022-02-11 20:30:00 timestamp", "2022-02-12 04:30:00 timestamp"}, "8 bigint"},
      {{"MONTH string", "2022-01-31 12:00:00 timestamp", "2022-02-28 12:00:00 timestamp"}, "0 bigint"},
      {{"MONTH string", "2022-01-28 12:00:00 timestamp_ntz", "2022-02-28 11:59:59.999999 timestamp_ntz"}, "0 bigint"},
      {{"MONTH string", "2022-02-28 12:00:00 timestamp_ntz", "2022-01-28 12:00:00 timestamp_ntz"}, "-1 bigint"},
      {{"YEAR string", "2000-02-29 00:00:00 timestamp_ntz", "2024-02-28 00:00:00 timestamp_ntz"}, "23 bigint"},
      {{"QUARTER string", "2021-01-01 00:00:00 timestamp_ntz", "2022-01-01 00:00:00 timestamp_ntz"}, "4 bigint"},
      {{"WEEK string", "2024-03-20 12:00:00 timestamp", "2024-04-03 11:00:00 timestamp"}, "2 bigint"},
      {{"SECOND string", "1970-01-01 00:00:00 timestamp", "1969-12-31 23:59:59.000001 timestamp"}, "0 bigint"},
      {{"MILLISECOND string", "1970-01-01 00:00:00 timestamp", "1969-12-31 23:59:59.998 timestamp"}, "-2 bigint"},
      {{"MICROSECOND string", "-1 timestamp", "9223372036854775807 timestamp"}, "null bigint", kOutOfRange},
      {{"DAY string", "null timestamp", "0 timestamp"}, "null bigint"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_with_unit(call);
  }

  template <class E>
  ACC_HD static int64 call_zoned(types::StringRef unit, int64 start, int64 end, const types::TimeZone& zone, E& error) {
    const Moment from = local_moment(start, zone);
    const Moment to = local_moment(end, zone);
    const int64 months = months_of_unit(unit);
    if (months > 0) return elapsed_months(from, to) / months;
    const int64 micros = micros_of_unit(unit);
    if (micros >= kMicrosPerSecond) return elapsed_units(from, to, micros / kMicrosPerSecond);
    const Moment time = elapsed(from, to);
    if (micros == 1) return micros_of(time, error);
    return time.second * 1000 + time.micro / 1000 + (time.second < 0 && time.micro % 1000 > 0);
  }
};

}  // namespace accelerant::functions
