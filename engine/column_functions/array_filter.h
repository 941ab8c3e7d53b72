#pragma once

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
    const auto array = call.argument("argument");
    const auto lambda = call.lambda("function");
    call.finish();
    return call.call_with({array}, {lambda});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const SpreadElements elements(call, lists);
    std::vector<columns::ColumnPtr> arguments{elements.values(lists.elements())};
    const columns::ColumnPtr values = arguments.front();
    if (call.lambda(0).lambda->num_arguments() > 1) arguments.push_back(elements.positions());
    const columns::ColumnPtr keeps = elements.run(call, call.lambda(0), std::move(arguments));
    ChosenElements chosen(call);
    for (size_t row = 0; row + 1 < elements.offsets().size(); ++row) {
      for (int64_t element = elements.offsets()[row]; element < elements.offsets()[row + 1]; ++element) {
        if (!keeps->is_null(element) && keeps->values<uint8_t>()[element]) chosen.add(element);
      }
      chosen.end_row();
    }
    return chosen.finish(*values);
  }
};

}  // namespace accelerant::column_functions
