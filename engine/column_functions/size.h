#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"

namespace accelerant::column_functions {

struct Size {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Size",
      .sql = "size(collection)",
      .text = "Returns how many elements an array or a map has.",
  };
  static constexpr const char* kSignatures[] = {"array<T> -> int", "map<K, V> -> int"};
  static constexpr functions::Example kExamples[] = {
      {{"[7,null] array<int>"}, "2 int"},
      {{"[] array<string>"}, "0 int"},
      {{"{a:1,b:2,c:null} map<string,int>"}, "3 int"},
      {{"null array<int>"}, "null int"},
  };

  /// A session may want -1 of null.
  template <class Call>
  static auto bind(Call& call) {
    const auto collection = call.argument("child");
    const bool is_legacy = call.flag("legacySizeOfNull", false);
    call.finish();
    const auto size = call.call({collection});
    return is_legacy ? call.builder().coalesce({size, call.number(-1)}, call.type()) : size;
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Int32, call.num_rows(), call.budget());
    for (int64_t row = 0; row < call.num_rows(); ++row) builder.values<int32_t>()[row] = lists.size(row);
    return builder.finish();
  }
};

}  // namespace accelerant::column_functions
