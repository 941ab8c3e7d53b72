#pragma once

#include "column_functions/list_of_child.h"

namespace accelerant::column_functions {

struct MapValues {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapValues",
      .sql = "map_values(map)",
      .text = "Returns the values of a map.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> array<V>"};
  static constexpr functions::Example kExamples[] = {
      {{"{a:1,b:null} map<string,int>"}, "[1,null] array<int>"},
      {{"{} map<string,int>"}, "[] array<int>"},
      {{"null map<string,int>"}, "null array<int>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) { return lists_of_child(call, 1); }
};

}  // namespace accelerant::column_functions
