#pragma once

#include "column_functions/list_of_child.h"

namespace accelerant::column_functions {

struct MapKeys {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapKeys",
      .sql = "map_keys(map)",
      .text = "Returns the keys of a map.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> array<K>"};
  static constexpr functions::Example kExamples[] = {
      {{"{a:1,b:null} map<string,int>"}, "[a,b] array<string>"},
      {{"{} map<string,int>"}, "[] array<string>"},
      {{"null map<string,int>"}, "null array<string>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) { return lists_of_child(call, 0); }
};

}  // namespace accelerant::column_functions
