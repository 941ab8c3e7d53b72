#pragma once

#include "column_functions/bind_lambda.h"
#include "column_functions/spread_elements.h"

namespace accelerant::column_functions {

struct ArrayTransform {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayTransform",
      .sql = "transform(array, (element, index) -> value)",
      .text = "Returns what a lambda gives for each element.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> array<U>"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const SpreadElements elements(call, lists);
    return elements.lists(call.type(), {run_on_elements(call, elements, elements.values(lists.elements()))});
  }
};

}  // namespace accelerant::column_functions
