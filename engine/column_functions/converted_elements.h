#pragma once

#include "column_functions/definition.h"
#include "column_functions/spread_elements.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace accelerant::column_functions {

/// Lambdas, one for an array's elements, one each for a map's keys and values, come from the binder.
struct ConvertedElements {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.ConvertedElements",
      .sql = "(casts of arrays and maps)",
      .text = "Returns arrays or maps of what lambdas give for elements, keys and values, each alone.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> array<U>", "map<K, V> -> map<L, W>"};
  static constexpr int kNumLambdas = 2;

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const SpreadElements elements(call, lists);
    std::vector<columns::ColumnPtr> children;
    std::vector<int32_t> failed;
    for (const columns::ColumnPtr& child : lists.values().children()) {
      LambdaResult result = elements.run_apart(call.lambda(children.size()), {elements.values(*child)});
      children.push_back(columns::flatten(result.column, call.budget()));
      failed.insert(failed.end(), result.failed.begin(), result.failed.end());
    }
    std::ranges::sort(failed);
    for (const int32_t row : elements.rows_of(failed)) call.fail(row);
    return elements.lists(call.type(), std::move(children));
  }
};

}  // namespace accelerant::column_functions
