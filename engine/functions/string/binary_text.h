#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct BinaryText {
  static constexpr Description kDescription = {
      .spark_class = "io.accelerant.BinaryText",
      .sql = "(binary as Dataset.show has it)",
      .text = "Writes the bytes of a binary value as hexadecimal digits.",
      .setting = {"spark.sql.binaryOutputStyle", "HEX_DISCRETE"},
  };
  using Signatures = SignatureList<Signature<types::StringType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"ab/ binary"}, "[61 62 2F] string"},
      {{"a binary"}, "[61] string"},
      {{" binary"}, "[] string"},
      {{"null binary"}, "null string"},
  };

  template <class E>
  ACC_HD static int64 size(types::StringRef bytes, E& error) {
    // Two digits a byte, a space between two, and brackets.
    const int64 size = bytes.length == 0 ? 2 : static_cast<int64>(bytes.length) * 3 + 1;
    if (size > types::kMaxStringBytes) error |= static_cast<E>(kExternalError);
    return size;
  }

  ACC_HD static void write(types::StringRef bytes, char* out) {
    *out++ = '[';
    for (int32 i = 0; i < bytes.length; ++i) {
      if (i > 0) *out++ = ' ';
      const auto byte = static_cast<uint8>(bytes.data[i]);
      *out++ = digit(byte >> 4);
      *out++ = digit(byte & 15);
    }
    *out = ']';
  }

 private:
  ACC_HD static char digit(int32 value) { return static_cast<char>(value < 10 ? '0' + value : 'A' + value - 10); }
};

}  // namespace accelerant::functions
