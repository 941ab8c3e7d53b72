#pragma once

#include "functions/definition.h"
#include "functions/string/like_pattern.h"

namespace accelerant::functions {

struct Like {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Like",
      .sql = "str LIKE pattern ESCAPE escape",
      .text = "Says whether a pattern matches all of a string: % stands for any characters, _ for one.",
  };
  using Signatures =
      SignatureList<Signature<types::BooleanType, types::StringType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL string", "S%SQL string", "\\ string"}, "true boolean"},
      {{"Spark SQL string", "S_ark% string", "\\ string"}, "true boolean"},
      {{"Spark SQL string", "Spark string", "\\ string"}, "false boolean"},
      {{"Spark SQL string", "%ark%S% string", "\\ string"}, "true boolean"},
      {{"aba string", "ab%ba string", "\\ string"}, "false boolean"},
      {{"aXbXc string", "%X%X%X% string", "\\ string"}, "false boolean"},
      {{"100% string", "100\\% string", "\\ string"}, "true boolean"},
      {{"1000 string", "100\\% string", "\\ string"}, "false boolean"},
      {{"a_b string", "a#_b string", "# string"}, "true boolean"},
      {{"a\nb string", "a_b string", "\\ string"}, "true boolean"},
      {{"x😀é string", "x__ string", "\\ string"}, "true boolean"},
      {{"mississippi string", "m%s_p%i string", "\\ string"}, "true boolean"},
      {{" string", "% string", "\\ string"}, "true boolean"},
      {{" string", " string", "\\ string"}, "true boolean"},
      {{" string", "_ string", "\\ string"}, "false boolean"},
      {{"a string", "\\a string", "\\ string"}, "false boolean", kExternalError},
      {{"null string", "% string", "\\ string"}, "null boolean"},
      {{"a string", "null string", "\\ string"}, "null boolean"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto text = call.argument("left");
    const auto pattern = call.argument("right");
    const auto escape = call.text("escapeChar");
    call.finish();
    for (const auto argument : {text, pattern}) {
      if (!call.is_string(argument)) call.refuse("over " + call.type_of(argument).to_string());
    }
    const auto constant = call.builder().constant_of(pattern);
    const types::StringRef escape_text{escape.data(), static_cast<int32>(escape.size())};
    if (constant && !constant->is_null(0) && !LikePattern(constant->string_at(0), escape_text).is_valid()) {
      call.refuse("with an invalid pattern");  // Spark fails before there is a row
    }
    return call.call({text, pattern, call.constant_text(escape)});
  }

  ACC_HD static LikePattern prepare(types::StringRef pattern, types::StringRef escape) { return {pattern, escape}; }

  template <class E>
  ACC_HD static bool call(types::StringRef text, const LikePattern& pattern, E& error) {
    if (pattern.is_valid()) return pattern.matches(text);
    error |= static_cast<E>(kExternalError);
    return false;
  }
  template <class E>
  ACC_HD static bool call(types::StringRef text, types::StringRef pattern, types::StringRef escape, E& error) {
    return call(text, prepare(pattern, escape), error);
  }
};

}  // namespace accelerant::functions
