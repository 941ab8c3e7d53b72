#pragma once

#include "functions/datetime/time_unit.h"
#include "functions/datetime/zoned_addition.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TimestampAdd {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TimestampAdd",
      .sql = "(timestampadd(unit, quantity, timestamp))",
      .text =
          "Returns the timestamp that many units later: days and longer units by the calendar of the time zone, "
          "shorter ones by elapsed time.",
  };
  using Signatures =
      SignatureList<Signature<types::TimestampType, types::StringType, types::IntType, types::TimestampType>,
                    Signature<types::TimestampType, types::StringType, types::LongType, types::TimestampType>,
                    Signature<types::TimestampNtzType, types::StringType, types::IntType, types::TimestampNtzType>,
                    Signature<types::TimestampNtzType, types::StringType, types::LongType, types::TimestampNtzType>>;
  static constexpr Example kExamples[] = {
      {{"HOUR string", "8 int", "2022-02-11 20:30:00 timestamp"}, "2022-02-12 04:30:00 timestamp"},
      {{"HOUR string", "48 int", "2024-03-30 12:00:00 timestamp"}, "2024-04-01 12:00:00 timestamp"},
      {{"DAY string", "1 int", "2024-03-30 12:00:00 timestamp"}, "2024-03-31 11:00:00 timestamp"},
      {{"HOUR string", "24 bigint", "2024-03-30 12:00:00 timestamp"}, "2024-03-31 12:00:00 timestamp"},
      {{"WEEK string", "-1 bigint", "2024-04-03 12:00:00 timestamp"}, "2024-03-27 13:00:00 timestamp"},
      {{"MONTH string", "1 int", "2024-01-31 12:00:00 timestamp"}, "2024-02-29 12:00:00 timestamp"},
      {{"QUARTER string", "-1 int", "2024-05-31 12:00:00 timestamp_ntz"}, "2024-02-29 12:00:00 timestamp_ntz"},
      {{"YEAR string", "1 bigint", "2024-02-29 12:00:00.5 timestamp_ntz"}, "2025-02-28 12:00:00.5 timestamp_ntz"},
      {{"MICROSECOND string", "1 bigint", "1969-12-31 23:59:59.999999 timestamp"}, "1970-01-01 00:00:00 timestamp"},
      {{"YEAR string", "300000 int", "2024-01-01 00:00:00 timestamp"}, "null timestamp", kOutOfRange},
      {{"YEAR string", "9223372036854775807 bigint", "0 timestamp"}, "null timestamp", kOutOfRange},
      {{"WEEK string", "9223372036854775807 bigint", "0 timestamp"}, "null timestamp", kOutOfRange},
      {{"DAY string", "150000000 bigint", "-9000000000000000000 timestamp_ntz"}, "3960000000000000000 timestamp_ntz"},
      {{"DAY string", "2147483648 bigint", "0 timestamp"}, "null timestamp", kOutOfRange},
      {{"DAY string", "null int", "0 timestamp"}, "null timestamp"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_with_unit(call);
  }

  template <class T, class E>
  ACC_HD static int64 call_zoned(types::StringRef unit, T quantity, int64 timestamp, const types::TimeZone& zone,
                                 E& error) {
    const int64 months = months_of_unit(unit);
    if (months > 0) return add_months(timestamp, multiply_in_range(quantity, months, error), zone, error);
    const int64 micros = micros_of_unit(unit);
    if (micros < kMicrosPerDay) {
      return add_elapsed(timestamp, multiply_in_range(quantity, micros, error), error);
    }
    const int64 days = multiply_in_range(quantity, micros / kMicrosPerDay, error);
    error |= days != static_cast<int32>(days) ? static_cast<E>(kOutOfRange) : E{0};
    return micros_of(add_days(moment_of(timestamp), static_cast<int32>(days), zone), error);
  }
};

}  // namespace accelerant::functions
