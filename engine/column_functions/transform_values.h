#pragma once

#include "column_functions/bind_lambda.h"
#include "column_functions/spread_elements.h"

namespace accelerant::column_functions {

struct TransformValues {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TransformValues",
      .sql = "transform_values(map, (key, value) -> value)",
      .text = "Returns a map's keys with what a lambda gives for each entry.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> map<K, U>"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows maps(call.argument(0));
    const SpreadElements entries(call, maps);
    const columns::ColumnPtr keys = entries.values(maps.elements());
    const columns::ColumnPtr values = entries.run(call, call.lambda(0), {keys, entries.values(maps.map_values())});
    return entries.lists(call.type(), {keys, values});
  }
};

}  // namespace accelerant::column_functions
