#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ConcatWs {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ConcatWs",
      .sql = "concat_ws(sep, str1, str2, ...)",
      .text = "Joins strings, and those of arrays, that are not null, with a separator between them.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{", string", "a string", "b string"}, "a,b string"},
      {{", string", "null string", "b string"}, "b string"},
      {{", string", "null string", "null string"}, " string"},
      {{"null string", "a string", "b string"}, "null string"},
      {{"- string"}, " string"},
      {{", string", "[a,null,b] array<string>", "c string"}, "a,b,c string"},
      {{", string", "[null] array<string>", "b string"}, "b string"},
      {{", string", "[] array<string>"}, " string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    auto parts = call.arguments("children");
    call.finish();
    if (parts.empty()) call.refuse("of nothing");
    const auto separator = parts.front();
    call.require_type(separator, call.type());
    parts.erase(parts.begin());
    for (auto& part : parts) {
      if (call.type_of(part).is(Call::TypeId::Array)) part = call.call("io.accelerant.ListText", {part, separator});
      call.require_type(part, call.type());
    }
    while (parts.size() > 1) {
      auto joined = parts;
      joined.clear();
      for (decltype(parts.size()) i = 0; i < parts.size(); i += 2) {
        joined.push_back(i + 1 < parts.size() ? join(call, separator, parts[i], parts[i + 1]) : parts[i]);
      }
      parts = joined;
    }
    const auto empty = call.constant_text("");
    const auto text = parts.empty() ? empty : call.builder().coalesce({parts.front(), empty}, call.type());
    // Spark looks at all texts, one of which may be an error, before it asks for the separator.
    const auto zero = call.number(0);
    const auto length = call.call_other("OctetLength", {text}, call.type_of(zero));
    const auto is_text = call.call_predicate("GreaterThanOrEqual", {length, zero});
    const auto lacks_separator = call.builder().conjunction({call.is_null(separator), is_text});
    return call.builder().case_when({{lacks_separator, call.null()}}, text, call.type());
  }

 private:
  /// Joins two strings; gives the other one where one is null.
  template <class Call, class Slot>
  ACC_HD static Slot join(Call& call, Slot separator, Slot left, Slot right) {
    const Slot joined = call.call_other("Concat", {left, separator, right}, call.type());
    return call.builder().case_when({{call.is_null(left), right}, {call.is_null(right), left}}, joined, call.type());
  }
};

}  // namespace accelerant::functions
