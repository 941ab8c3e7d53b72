#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

struct CastNumber {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Turns numbers and booleans into each other. What does not fit wraps around (integers) or is cut to the "
          "bounds (floats) in legacy mode.",
      .fails_only_in_ansi = true,
  };
  using Signatures = typename Concatenate<From<types::ByteType, types::BooleanType, types::ShortType, types::IntType,
                                               types::LongType, types::FloatType, types::DoubleType>,
                                          From<types::ShortType, types::BooleanType, types::ByteType, types::IntType,
                                               types::LongType, types::FloatType, types::DoubleType>,
                                          From<types::IntType, types::BooleanType, types::ByteType, types::ShortType,
                                               types::LongType, types::FloatType, types::DoubleType>,
                                          From<types::LongType, types::BooleanType, types::ByteType, types::ShortType,
                                               types::IntType, types::FloatType, types::DoubleType>,
                                          From<types::FloatType, types::BooleanType, types::ByteType, types::ShortType,
                                               types::IntType, types::LongType, types::DoubleType>,
                                          From<types::DoubleType, types::BooleanType, types::ByteType, types::ShortType,
                                               types::IntType, types::LongType, types::FloatType>,
                                          From<types::BooleanType, types::ByteType, types::ShortType, types::IntType,
                                               types::LongType, types::FloatType, types::DoubleType>>::Type;
  static constexpr Example kExamples[] = {
      {{"300 int"}, "44 tinyint", kCastOverflow},
      {{"-5 bigint"}, "-5 smallint"},
      {{"null int"}, "null tinyint"},
      {{"2147483648 bigint"}, "-2147483648 int", kCastOverflow},
      {{"5 tinyint"}, "5 bigint"},
      {{"9007199254740993 bigint"}, "9007199254740992 double"},
      {{"16777217 int"}, "16777216 float"},
      {{"1.9 double"}, "1 int"},
      {{"-1.9 float"}, "-1 bigint"},
      {{"2147483647.9 double"}, "2147483647 int"},
      {{"2147483648 double"}, "2147483647 int", kCastOverflow},
      {{"nan double"}, "0 bigint", kCastOverflow},
      {{"1e30 double"}, "9223372036854775807 bigint", kCastOverflow},
      {{"9223372036854775808 double"}, "9223372036854775807 bigint"},
      {{"300.5 double"}, "44 tinyint", kCastOverflow},
      {{"-128.5 double"}, "-128 tinyint"},
      {{"1e30 float"}, "-1 smallint", kCastOverflow},
      {{"0.1 float"}, "0.10000000149011612 double"},
      {{"0.1 double"}, "0.100000001 float"},
      {{"true boolean"}, "1 int"},
      {{"false boolean"}, "0 double"},
      {{"nan double"}, "true boolean"},
      {{"-0.0 float"}, "false boolean"},
      {{"7 tinyint"}, "true boolean"},
  };

  /// Integers to narrower ones.
  template <Integer To, Integer From, class E>
  requires(sizeof(To) < sizeof(From)) ACC_HD static To call(From value, E& error) {
    const To result = static_cast<To>(value);
    error |= static_cast<E>(result != value) * static_cast<E>(kCastOverflow);
    return result;
  }

  /// Floating-point numbers to integers: Java's conversion to int or long, then to narrower ones.
  template <Integer To, class From, class E>
  requires(!Integer<From> && !kSameType<From, bool>) ACC_HD static To call(From value, E& error) {
    constexpr double kBelow = -static_cast<double>(uint64{1} << (sizeof(To) * 8 - 1));
    const double wide = value;
    // Spark compares the floor and the ceiling with the bounds; Long.MaxValue as a double is 2^63.
    const bool fits = sizeof(To) == 8 ? wide >= kBelow && wide <= -kBelow : wide > kBelow - 1 && wide < -kBelow;
    error |= fits ? E{0} : static_cast<E>(kCastOverflow);
    if constexpr (sizeof(To) == 8) {
      return types::saturate<int64>(wide);
    } else {
      return static_cast<To>(types::saturate<int32>(wide));
    }
  }

  /// Everything that cannot fail.
  template <class To, class From>
  requires(!Integer<To> || kSameType<From, bool> || (Integer<From> && sizeof(To) >= sizeof(From))) ACC_HD static To
      call(From value) {
    if constexpr (kSameType<To, bool>) {
      return value != 0;
    } else {
      return static_cast<To>(value);
    }
  }
};

}  // namespace accelerant::functions
