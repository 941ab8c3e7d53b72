#pragma once

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
    const auto array = call.argument("argument");
    const auto lambda = call.lambda("function");
    call.finish();
    return call.call_with({array}, {lambda});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const SpreadElements elements(call, lists);
    std::vector<columns::ColumnPtr> arguments{elements.values(lists.elements())};
    if (call.lambda(0).lambda->num_arguments() > 1) arguments.push_back(elements.positions());
    return elements.lists(call.type(), {elements.run(call, call.lambda(0), std::move(arguments))});
  }
};

}  // namespace accelerant::column_functions
