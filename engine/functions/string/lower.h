#pragma once

#include "functions/definition.h"
#include "types/case_conversion.h"

namespace accelerant::functions {

struct Lower {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Lower",
      .sql = "lower(str)",
      .text = "Turns letters into small ones.",
      .setting = {"spark.sql.icu.caseMappings.enabled", "true"},
  };
  using Signatures = UnarySame<types::StringType>;
  static constexpr Example kExamples[] = {
      {{"Spark SQL string"}, "spark sql string"},
      {{"ÄẞİÇ string"}, "äßi̇ç string"},
      {{"ΑΣ ΣΑΣ. Σ ΑΣ1 string"}, "ας σας. σ ας1 string"},
      {{"A String of more than twelve bytes string"}, "a string of more than twelve bytes string"},
      {{" string"}, " string"},
      {{"null string"}, "null string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto text = call.argument("child");
    call.finish();
    // Spark 4.3 is the first with ICU for Unicode 17.
    if (!call.spark_version().starts_with("4.3.")) call.refuse("by another version of Unicode");
    return call.call({text});
  }

  ACC_HD static int64 size(types::StringRef text) {
    if (types::is_ascii(text)) return text.length;
    int64 size = 0;
    types::for_each_lower(text, [&](int32 character) { size += types::encoded_bytes(character); });
    return size;
  }
  ACC_HD static void write(types::StringRef text, char* out) {
    if (!types::is_ascii(text)) {
      types::for_each_lower(text, [&](int32 character) { out = types::encode_character(character, out); });
      return;
    }
    for (int32 i = 0; i < text.length; ++i) {
      const char c = text.data[i];
      out[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
  }
};

}  // namespace accelerant::functions
