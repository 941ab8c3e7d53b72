#pragma once

#include "column_functions/any_element.h"
#include "column_functions/bind_lambda.h"

namespace accelerant::column_functions {

struct ArrayExists {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayExists",
      .sql = "exists(array, element -> condition)",
      .text = "Says whether a condition is true for some element.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> boolean"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    if (!call.flag("followThreeValuedLogic", true)) call.refuse("of two truth values");
    return bind_lambda(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) { return look_for_element(call, true); }
};

}  // namespace accelerant::column_functions
