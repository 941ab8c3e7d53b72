#pragma once

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
    const auto map = call.argument("argument");
    const auto lambda = call.lambda("function");
    call.finish();
    return call.call_with({map}, {lambda});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows maps(call.argument(0));
    const SpreadElements entries(call, maps);
    const columns::ColumnPtr keys = entries.values(maps.elements());
    const columns::ColumnPtr values = entries.values(maps.map_values());
    const columns::ColumnPtr keeps = entries.run(call, call.lambda(0), {keys, values});
    ChosenElements chosen(call);
    for (size_t row = 0; row + 1 < entries.offsets().size(); ++row) {
      for (int64_t entry = entries.offsets()[row]; entry < entries.offsets()[row + 1]; ++entry) {
        if (!keeps->is_null(entry) && keeps->values<uint8_t>()[entry]) chosen.add(entry);
      }
      chosen.end_row();
    }
    return chosen.finish_of({chosen.take(*keys), chosen.take(*values)});
  }
};

}  // namespace accelerant::column_functions
