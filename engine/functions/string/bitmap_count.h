#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct BitmapCount {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.BitmapExpressionUtils.bitmapCount",
      .sql = "bitmap_count(expr)",
      .text = "Returns how many bits of a binary value are set.",
  };
  using Signatures = SignatureList<Signature<types::LongType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{" binary"}, "0 bigint"},
      {{"a binary"}, "3 bigint"},
      {{"a string of more than twelve bytes binary"}, "128 bigint"},
      {{"é binary"}, "8 bigint"},
      {{"null binary"}, "null bigint"},
  };

  ACC_HD static int64 call(types::StringRef bytes) {
    int64 count = 0;
    for (int32 i = 0; i < bytes.length; ++i) count += bits_of(static_cast<uint8>(bytes.data[i]));
    return count;
  }

 private:
  /// Adds up pairs of bits, then pairs of these sums, then both of those.
  ACC_HD static int32 bits_of(uint32 byte) {
    byte = byte - ((byte >> 1) & 0x55);
    byte = (byte & 0x33) + ((byte >> 2) & 0x33);
    return static_cast<int32>((byte + (byte >> 4)) & 0x0f);
  }
};

}  // namespace accelerant::functions
