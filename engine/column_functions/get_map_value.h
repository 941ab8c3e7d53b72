#pragma once

#include "column_functions/map_lookup.h"

namespace accelerant::column_functions {

struct GetMapValue {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GetMapValue",
      .sql = "map[key]",
      .text = "Returns the value under a key.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V>, K -> V"};
  static constexpr functions::Example kExamples[] = {
      {{"{1:a,2:b} map<int,string>", "2 int"}, "b string"},
      {{"{1:a,2:null} map<int,string>", "2 int"}, "null string"},
      {{"{1:a} map<int,string>", "3 int"}, "null string"},
      {{"{nan:a} map<double,string>", "nan double"}, "a string"},
      {{"{a:1} map<string,int>", "null string"}, "null int"},
  };

  static columns::ColumnPtr call(ColumnCall& call) { return look_up(call); }
};

}  // namespace accelerant::column_functions
