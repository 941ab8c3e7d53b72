#pragma once

#include "functions/aggregate/bitmap.h"

namespace accelerant::functions {

struct BitmapConstructAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitmapConstructAgg",
      .sql = "bitmap_construct_agg(expr)",
      .text = "Returns a bitmap of 4096 bytes whose bits at the values are set.",
      .fields = {"child"},
  };
  using Signatures = SignatureList<Signature<types::BinaryType, types::LongType>>;
  // Where nothing fails the result has zeros, which cannot be written here.
  static constexpr AggregateExample kExamples[] = {
      {"0 bigint | -1 bigint", "null binary", kNeedsSpark},
      {"32768 bigint | null bigint | 32767 bigint", "null binary", kNeedsSpark},
  };

  template <class>
  using State = Bitmap<Combine::Or>;

  ACC_HD static constexpr bool can_fail(uint8, const types::DecimalContext&) { return true; }

  template <class R>
  ACC_HD static types::Nullable<R> finish(const Bitmap<Combine::Or>& state, const AggregateContext&, uint8& error) {
    // Spark names the position.
    if (state.fails) error |= kNeedsSpark;
    return {state.value(), !state.fails};
  }
};

}  // namespace accelerant::functions
