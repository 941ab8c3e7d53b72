#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "column_functions/value_order.h"

namespace accelerant::column_functions {

struct ArrayPosition {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayPosition",
      .sql = "array_position(array, value)",
      .text = "Returns the index of the first element that is a value, from 1 on; 0 where there is none.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, T -> bigint"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null,2,2] array<int>", "2 int"}, "3 bigint"},
      {{"[a] array<string>", "b string"}, "0 bigint"},
      {{"[1] array<int>", "null int"}, "null bigint"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const StoredRows wanted(call.argument(1));
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Int64, call.num_rows(), call.budget());
    const NullRows nulls(lists.elements());
    auto* const to = builder.values<int64_t>();
    with_equality(lists.elements(), wanted.values(), [&](auto equal) {
      for (int64_t row = 0, num_rows = call.num_rows(); row < num_rows; ++row) {
        to[row] = call.counts(row) ? position(nulls, lists.range(row), wanted.place(row), equal) : 0;
      }
    });
    return builder.finish();
  }

 private:
  template <class Equal>
  static int64_t position(const NullRows& nulls, ElementRange range, int64_t wanted, const Equal& equal) {
    for (int64_t place = range.first; place < range.end; ++place) {
      if (!nulls.has(place) && equal(place, wanted)) return place - range.first + 1;
    }
    return 0;
  }
};

}  // namespace accelerant::column_functions
