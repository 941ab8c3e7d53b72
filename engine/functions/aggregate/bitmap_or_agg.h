#pragma once

#include "functions/aggregate/bitmap.h"

namespace accelerant::functions {

struct BitmapOrAgg {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitmapOrAgg",
      .sql = "bitmap_or_agg(expr)",
      .text = "Returns a bitmap of 4096 bytes with the bits of any of the bitmaps that are not null.",
      .fields = {"child"},
  };
  using Signatures = SignatureList<Signature<types::BinaryType, types::BinaryType>>;
  static constexpr BitmapExample kRows{'a', " binary | b binary"};
  static constexpr BitmapExample kResult{'c', " binary"};
  static constexpr AggregateExample kExamples[] = {{kRows.text, kResult.text}};

  template <class>
  using State = Bitmap<Combine::Or>;

  template <class R>
  ACC_HD static types::Nullable<R> finish(const Bitmap<Combine::Or>& state, const AggregateContext&, uint8&) {
    return {state.value(), true};
  }
};

}  // namespace accelerant::functions
