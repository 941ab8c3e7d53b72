#pragma once

#include "functions/definition.h"
#include "functions/hash/hash_chain.h"
#include "functions/hash/xx_hash64.h"
#include "types/floating.h"

namespace accelerant::functions {

/// One step of Spark's hash of several values; `bind` makes the chain.
struct XxHash64 {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.XxHash64",
      .sql = "xxhash64(expr1, expr2, ...)",
      .text =
          "Returns a hash of 64 bits of the values; the examples give the value of one column and the hash before it, "
          "42 for the first.",
      .right_first = true,
  };
  using Signatures = HashSteps<types::LongType>;
  static constexpr Example kExamples[] = {
      {{"true boolean", "42 bigint"}, "-6698625589789238999 bigint"},
      {{"1 tinyint", "42 bigint"}, "-6698625589789238999 bigint"},
      {{"7 smallint", "42 bigint"}, "2786828215451145335 bigint"},
      {{"-1 int", "42 bigint"}, "2017008487422258757 bigint"},
      {{"1 int", "7 bigint"}, "-8452107470648406635 bigint"},
      {{"null int", "42 bigint"}, "null bigint"},
      {{"-1 bigint", "42 bigint"}, "3858142552250413010 bigint"},
      {{"1.5 float", "42 bigint"}, "6163473420726370430 bigint"},
      {{"-0.0 float", "42 bigint"}, "3614696996920510707 bigint"},
      {{"nan double", "42 bigint"}, "-3127944061524951246 bigint"},
      {{"-inf double", "42 bigint"}, "5326262080505358431 bigint"},
      {{"1.50 decimal(5,2)", "42 bigint"}, "-6873856301616164681 bigint"},
      {{"1.50 decimal(38,2)", "42 bigint"}, "-194698251525976593 bigint"},
      {{" string", "42 bigint"}, "-7444071767201028348 bigint"},
      {{"Spark string", "42 bigint"}, "-4294468057691064905 bigint"},
      {{"a string of more than thirty-two bytes string", "42 bigint"}, "-6367996749903619306 bigint"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_hash(call, kDescription.spark_class);
  }

  ACC_HD static int64 call(bool value, int64 seed) { return of_int(value ? 1 : 0, seed); }
  ACC_HD static int64 call(int8 value, int64 seed) { return of_int(value, seed); }
  ACC_HD static int64 call(int16 value, int64 seed) { return of_int(value, seed); }
  ACC_HD static int64 call(int32 value, int64 seed) { return of_int(value, seed); }
  ACC_HD static int64 call(int64 value, int64 seed) { return of_long(value, seed); }
  ACC_HD static int64 call(float value, int64 seed) {
    return of_int(static_cast<int32>(__builtin_bit_cast(uint32, types::normalize_nan_and_zero(value))), seed);
  }
  ACC_HD static int64 call(double value, int64 seed) {
    return of_long(static_cast<int64>(types::bits_of(types::normalize_nan_and_zero(value))), seed);
  }
  ACC_HD static int64 call(types::StringRef value, int64 seed) {
    return static_cast<int64>(xx_hash64_bytes(value.data, value.length, static_cast<uint64>(seed)));
  }

  ACC_HD static int64 call_narrow(int64 value, int64 seed, const types::DecimalContext& context) {
    return call_wide(value, seed, context);
  }
  /// Spark keeps the decimals of a type of up to 18 digits as integers, others as BigDecimal, whatever their value.
  ACC_HD static int64 call_wide(int128 value, int64 seed, const types::DecimalContext& context) {
    if (context.left_precision <= kDigitsOfLong) return of_long(static_cast<int64>(value), seed);
    return static_cast<int64>(xx_hash64_wide_decimal(value, static_cast<uint64>(seed)));
  }

 private:
  static constexpr int32 kDigitsOfLong = 18;

  ACC_HD static int64 of_int(int32 value, int64 seed) {
    return static_cast<int64>(xx_hash64_int(value, static_cast<uint64>(seed)));
  }
  ACC_HD static int64 of_long(int64 value, int64 seed) {
    return static_cast<int64>(xx_hash64_long(value, static_cast<uint64>(seed)));
  }
};

}  // namespace accelerant::functions
