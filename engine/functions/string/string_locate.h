#pragma once

#include "functions/definition.h"
#include "functions/string/character_search.h"

namespace accelerant::functions {

struct StringLocate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.StringLocate",
      .sql = "locate(substr, str, pos)",
      .text = "Returns the place of the first occurrence at `pos` or after, in characters from 1, or 0.",
  };
  using Signatures = SignatureList<Signature<types::IntType, types::StringType, types::StringType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"bar string", "foobarbar string", "5 int"}, "7 int"},
      {{"bar string", "foobarbar string", "1 int"}, "4 int"},
      {{"bar string", "foobarbar string", "0 int"}, "0 int"},
      {{"x string", "ä€x string", "2 int"}, "3 int"},
      {{" string", "abc string", "3 int"}, "1 int"},
      {{"bar string", "foobarbar string", "null int"}, "null int"},
      {{"null string", "foobarbar string", "1 int"}, "null int"},
      {{"a string", "null string", "1 int"}, "null int"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto part = call.argument("substr");
    const auto text = call.argument("str");
    const auto start = call.argument("start");
    call.finish();
    const auto place = call.call({part, text, start});
    return call.builder().case_when({{call.is_null(start), call.number(0)}}, place, call.type());
  }

  ACC_HD static int32 call(types::StringRef part, types::StringRef text, int32 position) {
    return position < 1 ? 0 : types::find_character(text, part, position - 1) + 1;
  }
};

}  // namespace accelerant::functions
