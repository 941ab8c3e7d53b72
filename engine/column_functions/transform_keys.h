#pragma once

#include "column_functions/floats.h"
#include "column_functions/map_keys_check.h"
#include "column_functions/spread_elements.h"

namespace accelerant::column_functions {

struct TransformKeys {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TransformKeys",
      .sql = "transform_keys(map, (key, value) -> key)",
      .text = "Returns a map's values under what a lambda gives for each entry.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> map<U, V>"};
  static constexpr bool can_fail(bool) { return true; }

  static bool supports(std::span<const types::DataType>, const types::DataType& result) {
    return !has_floats(result.fields().front().type);
  }
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    const auto map = call.argument("argument");
    const auto lambda = call.lambda("function");
    call.finish();
    return bind_map(call, [&](auto mode) { return call.call_with({map}, {lambda}, mode); });
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows maps(call.argument(0));
    const SpreadElements entries(call, maps);
    const columns::ColumnPtr values = entries.values(maps.map_values());
    const LambdaResult keys = entries.run_apart(call.lambda(0), {entries.values(maps.elements()), values});
    check_keys(call, *keys.column, entries.offsets(), entries.rows_of(keys.failed));
    return entries.lists(call.type(), {columns::flatten(keys.column, call.budget()), values});
  }
};

}  // namespace accelerant::column_functions
