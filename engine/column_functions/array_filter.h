#pragma once

#include "column_functions/bind_lambda.h"
#include "column_functions/chosen_elements.h"
#include "column_functions/spread_elements.h"

namespace accelerant::column_functions {

struct ArrayFilter {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayFilter",
      .sql = "filter(array, (element, index) -> condition)",
      .text = "Returns the elements for which a condition is true.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> array<T>"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const SpreadElements elements(call, lists);
    const columns::ColumnPtr values = elements.values(lists.elements());
    ChosenElements chosen(call);
    chosen.add_where(*run_on_elements(call, elements, values), elements.offsets());
    return chosen.finish(*values);
  }
};

}  // namespace accelerant::column_functions
