#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/floats.h"
#include "column_functions/joined_elements.h"
#include "column_functions/map_keys_check.h"

#include <vector>

namespace accelerant::column_functions {

struct MapConcat {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapConcat",
      .sql = "map_concat(map1, map2, ...)",
      .text = "Joins maps.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V>, map<K, V>... -> map<K, V>"};
  static constexpr functions::Example kExamples[] = {
      {{"{1:a} map<int,string>", "{2:null} map<int,string>", "{3:c} map<int,string>"},
       "{1:a,2:null,3:c} map<int,string>"},
      {{"{} map<int,string>", "{1:a} map<int,string>"}, "{1:a} map<int,string>"},
      {{"{1:a} map<int,string>", "null map<int,string>"}, "null map<int,string>"},
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
    const std::vector<ListRows> maps = lists_of(call);
    const JoinedElements keys(call, maps, 0);
    const JoinedElements values(call, maps, 1);
    ChosenElements chosen(call);
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      for (size_t i = 0; i < maps.size() && call.counts(row); ++i) chosen.add_all(keys.first(i, row), keys.end(i, row));
      chosen.end_row();
    }
    const columns::ColumnPtr taken = chosen.take(keys.column());
    check_keys(call, *taken, chosen.offsets());
    return chosen.finish_of({taken, chosen.take(values.column())});
  }
};

}  // namespace accelerant::column_functions
