#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/cast/number_text.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToInteger {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Reads an integer; legacy mode cuts a fraction off, the others take none.",
      .fails_only_in_ansi = true,
  };
  using Signatures =
      SignatureList<Signature<types::ByteType, types::StringType>, Signature<types::ShortType, types::StringType>,
                    Signature<types::IntType, types::StringType>, Signature<types::LongType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"12 string"}, "12 int"},
      {{" \t-12\n string"}, "-12 bigint"},
      {{"+007 string"}, "7 tinyint"},
      {{"1.9 string"}, "1 int", kCastOverflow},
      {{"-1. string"}, "-1 int", kCastOverflow},
      {{". string"}, "0 int", kCastOverflow},
      {{"1.x string"}, "null int", kCastInvalid},
      {{"- string"}, "null int", kCastInvalid},
      {{" string"}, "null int", kCastInvalid},
      {{"1 2 string"}, "null int", kCastInvalid},
      {{"1e3 string"}, "null int", kCastInvalid},
      {{"128 string"}, "null tinyint", kCastInvalid},
      {{"-128 string"}, "-128 tinyint"},
      {{"-32769 string"}, "null smallint", kCastInvalid},
      {{"2147483647 string"}, "2147483647 int"},
      {{"2147483648 string"}, "null int", kCastInvalid},
      {{"-9223372036854775808 string"}, "-9223372036854775808 bigint"},
      {{"9223372036854775808 string"}, "null bigint", kCastInvalid},
      {{"null string"}, "null int"},
  };

  template <Integer To, class E>
  ACC_HD static To call(types::StringRef text, E& error) {
    text = types::trim_blanks(text);
    const bool negative = take_sign(text);
    const Unsigned<To> largest = static_cast<Unsigned<To>>(static_cast<Unsigned<To>>(~Unsigned<To>{0}) >> 1);
    const uint64 limit = static_cast<uint64>(largest) + static_cast<uint64>(negative);
    uint64 value = 0;
    int32 i = 0;
    bool valid = text.length > 0;
    for (; i < text.length && types::is_digit(text.data[i]); ++i) {
      const uint64 digit = static_cast<uint64>(text.data[i] - '0');
      valid &= value <= (limit - digit) / 10;
      value = value * 10 + digit;
    }
    const bool has_fraction = i < text.length && text.data[i] == '.';
    if (has_fraction) {
      do {
        ++i;
      } while (i < text.length && types::is_digit(text.data[i]));
    }
    valid &= i == text.length;
    // Legacy mode lets the value of an overflow stand.
    error |= !valid ? static_cast<E>(kCastInvalid) : has_fraction ? static_cast<E>(kCastOverflow) : E{0};
    return static_cast<To>(negative ? uint64{0} - value : value);
  }
};

}  // namespace accelerant::functions
