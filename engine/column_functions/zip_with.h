#pragma once

#include "column_functions/bind_lambda.h"
#include "column_functions/joined_elements.h"
#include "column_functions/spread_elements.h"

#include <vector>

namespace accelerant::column_functions {

struct ZipWith {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ZipWith",
      .sql = "zip_with(array1, array2, (element1, element2) -> value)",
      .text = "Returns what a lambda gives for elements at one position of two arrays; the shorter one gives nulls.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, array<U> -> array<V>"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda_of_two(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const std::vector<ListRows> lists = lists_of(call);
    const SpreadElements elements(call, longest_of(call, lists).span());
    const columns::ColumnPtr left = elements.values_or_null(lists[0], lists[0].elements());
    const columns::ColumnPtr right = elements.values_or_null(lists[1], lists[1].elements());
    return elements.lists(call.type(), {elements.run(call, call.lambda(0), {left, right})});
  }
};

}  // namespace accelerant::column_functions
