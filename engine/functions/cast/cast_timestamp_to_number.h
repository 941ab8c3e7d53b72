#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastTimestampToNumber {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Turns a timestamp into seconds since 1970-01-01 00:00 UTC: integers round down and wrap around in legacy "
          "mode.",
  };
  using Signatures =
      SignatureList<Signature<types::BooleanType, types::TimestampType>,
                    Signature<types::ByteType, types::TimestampType>, Signature<types::ShortType, types::TimestampType>,
                    Signature<types::IntType, types::TimestampType>, Signature<types::LongType, types::TimestampType>,
                    Signature<types::FloatType, types::TimestampType>,
                    Signature<types::DoubleType, types::TimestampType>>;
  static constexpr Example kExamples[] = {
      {{"1969-12-31 23:59:58.5 timestamp"}, "-2 bigint"},
      {{"1970-01-01 00:00:05 timestamp"}, "5 tinyint"},
      {{"1970-01-01 09:06:08 timestamp"}, "null smallint", kCastOverflow | kCastInvalid},
      {{"2038-01-19 03:14:08 timestamp"}, "null int", kCastOverflow | kCastInvalid},
      {{"1969-12-31 23:59:58.5 timestamp"}, "-1.5 double"},
      {{"1970-01-01 00:00:00.1 timestamp"}, "0.100000001 float"},
      {{"1 timestamp"}, "true boolean"},
      {{"0 timestamp"}, "false boolean"},
      {{"null timestamp"}, "null int"},
  };

  template <Integer To, class E>
  requires(sizeof(To) < 8) ACC_HD static To call(int64 timestamp, E& error) {
    const int64 seconds = types::floor_divide(timestamp, kMicrosPerSecond);
    const To result = static_cast<To>(seconds);
    error |= result != seconds ? static_cast<E>(kCastOverflow | kCastInvalid) : E{0};
    return result;
  }
  template <class To>
  requires(!Integer<To> || sizeof(To) == 8) ACC_HD static To call(int64 timestamp) {
    if constexpr (kSameType<To, int64>) {
      return types::floor_divide(timestamp, kMicrosPerSecond);
    } else if constexpr (kSameType<To, bool>) {
      return timestamp != 0;
    } else {
      return static_cast<To>(static_cast<double>(timestamp) / kMicrosPerSecond);
    }
  }
};

}  // namespace accelerant::functions
