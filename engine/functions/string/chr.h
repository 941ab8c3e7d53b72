#pragma once

#include "functions/definition.h"
#include "types/text.h"
#include "types/utf8.h"

namespace accelerant::functions {

struct Chr {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Chr",
      .sql = "chr(n)",
      .text = "Returns the character of a number modulo 256; nothing for negative ones.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::LongType>>;
  static constexpr Example kExamples[] = {
      {{"65 bigint"}, "A string"}, {{"321 bigint"}, "A string"},     {{"228 bigint"}, "ä string"},
      {{"-1 bigint"}, " string"},  {{"null bigint"}, "null string"},
  };

  ACC_HD static types::Text<2> call(int64 number) {
    types::Text<2> text;
    if (number >= 0) {
      const int32 character = static_cast<int32>(number & 0xff);
      text.length = types::encoded_bytes(character);
      types::encode_character(character, text.bytes);
    }
    return text;
  }
};

}  // namespace accelerant::functions
