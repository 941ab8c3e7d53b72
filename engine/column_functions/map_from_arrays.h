#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/floats.h"
#include "column_functions/map_keys_check.h"

#include <vector>

namespace accelerant::column_functions {

struct MapFromArrays {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapFromArrays",
      .sql = "map_from_arrays(keys, values)",
      .text = "Makes a map of an array of keys and one of as many values.",
  };
  static constexpr const char* kSignatures[] = {"array<K>, array<V> -> map<K, V>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2] array<int>", "[a,null] array<string>"}, "{1:a,2:null} map<int,string>"},
      {{"[] array<int>", "[] array<string>"}, "{} map<int,string>"},
      {{"[1] array<int>", "null array<string>"}, "null map<int,string>"},
      {{"[1,null] array<int>", "[a,b] array<string>"}, "null map<int,string>", functions::kExternalError},
      {{"[1,2] array<int>", "[a] array<string>"}, "null map<int,string>", functions::kExternalError},
  };
  static constexpr bool can_fail(bool) { return true; }

  template <class Call>
  static auto bind(Call& call) {
    return bind_map_of_arguments(call);
  }

  static bool supports(std::span<const types::DataType>, const types::DataType& result) {
    return !has_floats(result.fields().front().type);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows keys(call.argument(0));
    const ListRows values(call.argument(1));
    ChosenElements chosen_keys(call);
    ChosenElements chosen_values(call);
    std::vector<int32_t> uneven;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row) && keys.size(row) == values.size(row)) {
        chosen_keys.add_all(keys.first(row), int64_t{keys.first(row)} + keys.size(row));
        chosen_values.add_all(values.first(row), int64_t{values.first(row)} + values.size(row));
      } else if (call.counts(row)) {
        uneven.push_back(static_cast<int32_t>(row));
      }
      chosen_keys.end_row();
      chosen_values.end_row();
    }
    const columns::ColumnPtr taken = chosen_keys.take(keys.elements());
    check_keys(call, *taken, chosen_keys.offsets(), uneven);
    return chosen_keys.finish_of({taken, chosen_values.take(values.elements())});
  }
};

}  // namespace accelerant::column_functions
