#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct BitmapBitPosition {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitmapExpressionUtils.bitmapBitPosition",
      .sql = "bitmap_bit_position(expr)",
      .text = "Returns the position of a number's bit in its bitmap.",
  };
  using Signatures = SignatureList<Signature<types::LongType, types::LongType>>;
  static constexpr Example kExamples[] = {
      {{"1 bigint"}, "0 bigint"},
      {{"32768 bigint"}, "32767 bigint"},
      {{"32769 bigint"}, "0 bigint"},
      {{"0 bigint"}, "0 bigint"},
      {{"-1 bigint"}, "1 bigint"},
      {{"-32768 bigint"}, "0 bigint"},
      {{"9223372036854775807 bigint"}, "32766 bigint"},
      {{"-9223372036854775808 bigint"}, "0 bigint"},
      {{"null bigint"}, "null bigint"},
  };

  ACC_HD static int64 call(int64 value) {
    // The distance from 0, or of a positive number from 1; that of the least number is none of its type.
    const uint64 distance = value > 0 ? static_cast<uint64>(value) - 1 : -static_cast<uint64>(value);
    return static_cast<int64>(distance % kBits);
  }

 private:
  static constexpr uint64 kBits = 32768;
};

}  // namespace accelerant::functions
