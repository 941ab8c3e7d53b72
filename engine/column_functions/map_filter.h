#pragma once

#include "column_functions/bind_lambda.h"
#include "column_functions/chosen_elements.h"
#include "column_functions/spread_elements.h"

namespace accelerant::column_functions {

struct MapFilter {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapFilter",
      .sql = "map_filter(map, (key, value) -> condition)",
      .text = "Returns the entries for which a condition is true.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> map<K, V>"};
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows maps(call.argument(0));
    const SpreadElements entries(call, maps);
    const columns::ColumnPtr keys = entries.values(maps.elements());
    const columns::ColumnPtr values = entries.values(maps.map_values());
    const columns::ColumnPtr keeps = entries.run(call, call.lambda(0), {keys, values});
    ChosenElements chosen(call);
    chosen.add_where(*keeps, entries.offsets());
    return chosen.finish_of({chosen.take(*keys), chosen.take(*values)});
  }
};

}  // namespace accelerant::column_functions
