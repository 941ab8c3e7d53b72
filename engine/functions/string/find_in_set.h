#pragma once

#include "functions/definition.h"
#include "types/text_search.h"

namespace accelerant::functions {

struct FindInSet {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.FindInSet",
      .sql = "find_in_set(str, list)",
      .text = "Returns the place of a string in a list with commas, from 1, or 0.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"ab string", "abc,b,ab,c string"}, "3 int"}, {{"a,b string", "a,b string"}, "0 int"},
      {{" string", "a,,b string"}, "2 int"},         {{" string", " string"}, "1 int"},
      {{"d string", "a,b string"}, "0 int"},         {{"null string", "a string"}, "null int"},
  };

  ACC_HD static int32 call(types::StringRef text, types::StringRef list) {
    for (int32 i = 0; i < text.length; ++i) {
      if (text.data[i] == ',') return 0;
    }
    int32 begin = 0;
    for (int32 n = 1;; ++n) {
      int32 end = begin;
      while (end < list.length && list.data[end] != ',') ++end;
      if (types::slice(list, begin, end) == text) return n;
      if (end == list.length) return 0;
      begin = end + 1;
    }
  }
};

}  // namespace accelerant::functions
