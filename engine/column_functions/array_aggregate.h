#pragma once

#include "column_functions/folded_lists.h"

namespace accelerant::column_functions {

struct ArrayAggregate {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayAggregate",
      .sql = "aggregate(array, start, (value, element) -> value, value -> result)",
      .text = "Takes the elements in one after the other, and makes a result of the last value.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, A -> R"};
  static constexpr int kNumLambdas = 2;
  static constexpr bool kSeesNulls = true;

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("argument");
    const auto start = call.argument("zero");
    const auto merge = call.lambda("merge");
    const auto finish = call.lambda("finish");
    call.finish();
    return call.up_to_null({array, start}, call.call_with({array, start}, {merge, finish}));
  }

  static columns::ColumnPtr call(ColumnCall& call) { return FoldedLists(call).run(); }
};

}  // namespace accelerant::column_functions
