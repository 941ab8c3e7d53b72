#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct SubstringIndex {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SubstringIndex",
      .sql = "substring_index(str, delim, count)",
      .text = "Returns what is before the count-th delimiter, or after it from the end where the count is negative.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType, types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"www.apache.org string", ". string", "2 int"}, "www.apache string"},
      {{"www.apache.org string", ". string", "-2 int"}, "apache.org string"},
      {{"www.apache.org string", ". string", "0 int"}, " string"},
      {{"www.apache.org string", " string", "1 int"}, " string"},
      {{"www.apache.org string", ". string", "9 int"}, "www.apache.org string"},
      {{"www.apache.org string", ". string", "-9 int"}, "www.apache.org string"},
      {{"aaa string", "aa string", "-1 int"}, " string"},
      {{"aaa string", "aa string", "-2 int"}, "a string"},
      {{".a string", ". string", "1 int"}, " string"},
      {{"a.b string", ". string", "-2147483648 int"}, "a.b string"},
      {{"null string", ". string", "1 int"}, "null string"},
  };

  ACC_HD static types::StringRef call(types::StringRef text, types::StringRef delimiter, int32 count) {
    if (delimiter.length == 0 || count == 0) return types::slice(text, 0, 0);
    if (count > 0) return before(text, delimiter, count);
    return after(text, delimiter, -static_cast<int64>(count));
  }

 private:
  ACC_HD static types::StringRef before(types::StringRef text, types::StringRef delimiter, int32 count) {
    int32 at = -1;
    for (; count > 0; --count) {
      at = types::find(text, delimiter, at + 1);
      if (at < 0) return text;
    }
    return types::slice(text, 0, at);
  }
  ACC_HD static types::StringRef after(types::StringRef text, types::StringRef delimiter, int64 count) {
    int32 at = text.length - delimiter.length + 1;
    for (; count > 0; --count) {
      do {
        --at;
      } while (at >= 0 && !types::is_at(text, delimiter, at));
      if (at < 0) return text;
    }
    return types::slice(text, at + delimiter.length, text.length);
  }
};

}  // namespace accelerant::functions
