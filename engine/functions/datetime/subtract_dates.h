#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct SubtractDates {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SubtractDates",
      .sql = "date1 - date2",
      .text = "Returns the time from the second date to the first as a day-time interval.",
  };
  using Signatures = BinaryResult<types::DayTimeIntervalType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2020-01-02 date", "2020-01-01 date"}, "86400000000 micros"},
      {{"2020-01-01 date", "2020-01-02 date"}, "-86400000000 micros"},
      {{"106751991 date", "0 date"}, "9223372022400000000 micros"},
      {{"106751992 date", "0 date"}, "null micros", kOutOfRange},
      {{"2147483647 date", "-1 date"}, "null micros", kOutOfRange},
      {{"null date", "0 date"}, "null micros"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    call.require_unset("legacyInterval");
    const auto arguments = call.arguments();
    const auto zone = call.zone();
    call.finish();
    return call.call(arguments, Call::kAnsi, zone);
  }

  template <class E>
  ACC_HD static int64 call(int32 end, int32 start, E& error) {
    return multiply_in_range(int64{end} - start, kMicrosPerDay, error);
  }
};

}  // namespace accelerant::functions
