#pragma once

#include "functions/aggregate/bitmap.h"

namespace accelerant::functions {

struct BitmapAndAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitmapAndAgg",
      .sql = "bitmap_and_agg(expr)",
      .text = "Returns a bitmap of 4096 bytes with the bits of all of the bitmaps that are not null.",
      .fields = {"child"},
  };
  using Signatures = SignatureList<Signature<types::BinaryType, types::BinaryType>>;
  static constexpr BitmapExample kRows{'a', " binary | null binary"};
  static constexpr BitmapExample kResult{'a', " binary"};
  static constexpr AggregateExample kExamples[] = {{kRows.text, kResult.text}};

  template <class>
  using State = Bitmap<Combine::And>;

  template <class R>
  ACC_HD static types::Nullable<R> finish(const Bitmap<Combine::And>& state, const AggregateContext&, uint8&) {
    return {state.value(), true};
  }
};

}  // namespace accelerant::functions
