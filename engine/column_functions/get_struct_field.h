#pragma once

#include "column_functions/stored_rows.h"
#include "column_functions/taken_rows.h"

namespace accelerant::column_functions {

/// The number of the member comes as a constant second argument.
struct GetStructField {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GetStructField",
      .sql = "struct.member",
      .text = "Returns a member of a struct.",
  };
  static constexpr const char* kSignatures[] = {"struct, int -> any"};
  static constexpr functions::Example kExamples[] = {
      {{"(1,a) struct<x:int,y:string>", "1 int"}, "a string"},
      {{"(null,a) struct<x:int,y:string>", "0 int"}, "null int"},
      {{"null struct<x:int,y:string>", "0 int"}, "null int"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto value = call.argument("child");
    const auto ordinal = call.integer("ordinal");
    call.skip("name");
    call.finish();
    return call.call({value, call.number(ordinal)});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    if (call.num_rows() == 0) return columns::Column::nulls(call.type(), 0, call.budget());
    const StoredRows rows(call.argument(0));
    const columns::Column& structs = rows.values();
    const auto member = static_cast<size_t>(StoredRows(call.argument(1)).values().values<int32_t>()[0]);
    const columns::ColumnPtr& values = structs.children()[member];
    if (call.argument(0).is_flat()) return values->slice(structs.offset(), structs.length())->with_type(call.type());
    return take_elements(call, *values, [&](int64_t row) { return structs.offset() + rows.place(row); });
  }
};

}  // namespace accelerant::column_functions
