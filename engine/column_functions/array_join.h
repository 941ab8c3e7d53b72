#pragma once

#include "column_functions/built_texts.h"
#include "column_functions/joined_texts.h"

namespace accelerant::column_functions {

struct ArrayJoin {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayJoin",
      .sql = "array_join(array, delimiter, replacement)",
      .text = "Joins strings by a delimiter; nulls are left out where nothing is to stand for them.",
  };
  static constexpr const char* kSignatures[] = {"array<string>, string -> string"};
  static constexpr functions::Example kExamples[] = {
      {{"[a,null,b] array<string>", ", string"}, "a,b string"},
      {{"[a string,of more than,twelve bytes] array<string>", "/ string"}, "a string/of more than/twelve bytes string"},
      {{"[] array<string>", ", string"}, " string"},
      {{"[null] array<string>", ", string"}, " string"},
      {{"[a] array<string>", "null string"}, "null string"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("array");
    const auto delimiter = call.argument("delimiter");
    const auto replacement = call.argument_if("nullReplacement");
    call.finish();
    if (!replacement) return call.call({array, delimiter});
    // Spark 4.1's code makes null of all rows where neither the array nor the delimiter may be null.
    if (!call.spark_version().starts_with("4.3.") && !call.builder().constant_of(*replacement)) {
      call.refuse("with a replacement that is no constant");
    }
    const auto can_fail = [&](auto argument) { return call.builder().can_fail(argument); };
    // Spark's code asks for the replacement first, its interpreter last.
    if (call.is_in_lambda() && (can_fail(array) || can_fail(delimiter) || can_fail(*replacement))) {
      call.refuse("of values that may fail, in a lambda");
    }
    return call.call("io.accelerant.ReplacedJoin", {delimiter, array, *replacement});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const JoinedTexts texts(call.argument(0), call.argument(1));
    return build_texts(call, [&](int64_t row, auto show) { texts.visit(row, show); });
  }
};

}  // namespace accelerant::column_functions
