#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct BitmapBucketNumber {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitmapExpressionUtils.bitmapBucketNumber",
      .sql = "bitmap_bucket_number(expr)",
      .text = "Returns which bitmap of many has the bit of a number.",
  };
  using Signatures = SignatureList<Signature<types::LongType, types::LongType>>;
  static constexpr Example kExamples[] = {
      {{"1 bigint"}, "1 bigint"},
      {{"32768 bigint"}, "1 bigint"},
      {{"32769 bigint"}, "2 bigint"},
      {{"0 bigint"}, "0 bigint"},
      {{"-1 bigint"}, "0 bigint"},
      {{"-32768 bigint"}, "-1 bigint"},
      {{"9223372036854775807 bigint"}, "281474976710656 bigint"},
      {{"-9223372036854775808 bigint"}, "-281474976710656 bigint"},
      {{"null bigint"}, "null bigint"},
  };

  ACC_HD static int64 call(int64 value) { return value > 0 ? 1 + (value - 1) / kBits : value / kBits; }

 private:
  static constexpr int64 kBits = 32768;
};

}  // namespace accelerant::functions
