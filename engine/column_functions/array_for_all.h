#pragma once

#include "column_functions/any_element.h"
#include "column_functions/bind_lambda.h"

namespace accelerant::column_functions {

struct ArrayForAll {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayForAll",
      .sql = "forall(array, element -> condition)",
      .text = "Says whether a condition is true for every element.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> boolean"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) { return look_for_element(call, false); }
};

}  // namespace accelerant::column_functions
