#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct StringRepeat {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringRepeat",
      .sql = "repeat(str, n)",
      .text = "Repeats a string.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"ab string", "3 int"}, "ababab string"},
      {{"ab string", "0 int"}, " string"},
      {{"ab string", "-1 int"}, " string"},
      {{"abc string", "5 int"}, "abcabcabcabcabc string"},
      {{"null string", "2 int"}, "null string"},
      {{"abc string", "2147483647 int"}, "null string", kExternalError},
      {{"a string", "2147483633 int"}, "null string", kExternalError},
  };

  template <class E>
  ACC_HD static int64 size(types::StringRef text, int32 times, E& error) {
    const int64 size = times > 0 ? static_cast<int64>(text.length) * times : 0;
    if (size > types::kMaxStringBytes) error |= static_cast<E>(kExternalError);
    return size;
  }
  ACC_HD static void write(types::StringRef text, int32 times, char* out) { types::append_copies(text, times, out); }
};

}  // namespace accelerant::functions
