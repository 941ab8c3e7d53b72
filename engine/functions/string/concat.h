#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct Concat {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Concat",
      .sql = "concat(expr1, expr2, ...)",
      .text = "Joins strings.",
  };
  using Signatures =
      SignatureList<Signature<types::StringType, types::StringType, types::StringType>,
                    Signature<types::StringType, types::StringType, types::StringType, types::StringType>,
                    Signature<types::BinaryType, types::BinaryType, types::BinaryType>,
                    Signature<types::BinaryType, types::BinaryType, types::BinaryType, types::BinaryType>>;
  static constexpr Example kExamples[] = {
      {{"Spark string", "SQL string"}, "SparkSQL string"},
      {{"a string", "b string", "c string"}, "abc string"},
      {{"a string of string", " more than string", " twelve bytes string"},
       "a string of more than twelve bytes string"},
      {{" string", " string"}, " string"},
      {{"a string", "null string", "c string"}, "null string"},
      {{"a binary", "b binary"}, "ab binary"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto parts = call.arguments("children");
    call.finish();
    const bool is_of_arrays = call.type().is_nested();
    for (const auto part : parts) {
      if (!is_of_arrays) call.require_type(part, call.type());
    }
    return parts.empty() ? call.constant_text("") : call.call_in_turn(parts, 3);
  }

  ACC_HD static int64 size(types::StringRef first, types::StringRef second) {
    return static_cast<int64>(first.length) + second.length;
  }
  ACC_HD static int64 size(types::StringRef first, types::StringRef second, types::StringRef third) {
    return size(first, second) + third.length;
  }
  ACC_HD static void write(types::StringRef first, types::StringRef second, char* out) {
    types::append(second, types::append(first, out));
  }
  ACC_HD static void write(types::StringRef first, types::StringRef second, types::StringRef third, char* out) {
    types::append(third, types::append(second, types::append(first, out)));
  }
};

}  // namespace accelerant::functions
