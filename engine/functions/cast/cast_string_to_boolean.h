#pragma once

#include "functions/cast/number_text.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToBoolean {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Reads t, true, y, yes, 1 as true and f, false, n, no, 0 as false.",
      .fails_only_in_ansi = true,
  };
  using Signatures = From<types::BooleanType, types::StringType>;
  static constexpr Example kExamples[] = {
      {{"true string"}, "true boolean"},
      {{"T string"}, "true boolean"},
      {{"yEs string"}, "true boolean"},
      {{" y\n string"}, "true boolean"},
      {{"1 string"}, "true boolean"},
      {{"FALSE string"}, "false boolean"},
      {{"f string"}, "false boolean"},
      {{"no string"}, "false boolean"},
      {{"n string"}, "false boolean"},
      {{"0 string"}, "false boolean"},
      {{"tru string"}, "null boolean", kCastInvalid},
      {{" string"}, "null boolean", kCastInvalid},
      {{"null string"}, "null boolean"},
  };

  template <class E>
  ACC_HD static bool call(types::StringRef text, E& error) {
    text = types::trim_blanks(text);
    const bool yes =
        is_word(text, "t") || is_word(text, "true") || is_word(text, "y") || is_word(text, "yes") || is_word(text, "1");
    const bool no =
        is_word(text, "f") || is_word(text, "false") || is_word(text, "n") || is_word(text, "no") || is_word(text, "0");
    error |= yes || no ? E{0} : static_cast<E>(kCastInvalid);
    return yes;
  }
};

}  // namespace accelerant::functions
