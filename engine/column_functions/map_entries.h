#pragma once

#include "column_functions/definition.h"
#include "columns/gather.h"

#include <utility>
#include <vector>

namespace accelerant::column_functions {

struct MapEntries {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapEntries",
      .sql = "map_entries(map)",
      .text = "Returns the entries of a map as an array of structs.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> array<struct>"};
  static constexpr functions::Example kExamples[] = {
      {{"{a:1,b:null} map<string,int>"}, "[(a,1),(b,null)] array<struct<key:string,value:int>>"},
      {{"{} map<string,int>"}, "[] array<struct<key:string,value:int>>"},
      {{"null map<string,int>"}, "null array<struct<key:string,value:int>>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const columns::ColumnPtr maps = columns::flatten(call.arguments().front(), call.budget());
    const std::vector<columns::ColumnPtr>& children = maps->children();
    columns::FlatParts parts = maps->parts();
    parts.type = call.type();
    parts.physical = types::PhysicalType::Array;
    parts.children = {columns::Column::flat({call.type().fields().front().type,
                                             types::PhysicalType::Struct,
                                             children.front()->length(),
                                             0,
                                             nullptr,
                                             nullptr,
                                             {},
                                             children})};
    return columns::Column::flat(std::move(parts));
  }
};

}  // namespace accelerant::column_functions
