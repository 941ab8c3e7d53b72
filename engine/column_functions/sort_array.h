#pragma once

#include "column_functions/sorted_elements.h"

namespace accelerant::column_functions {

struct SortArray {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SortArray",
      .sql = "sort_array(array, ascending)",
      .text = "Sorts the elements; nulls come first, or last where the greatest does.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, boolean -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"[3,null,1,2] array<int>", "true boolean"}, "[null,1,2,3] array<int>"},
      {{"[3,null,1,2] array<int>", "false boolean"}, "[3,2,1,null] array<int>"},
      {{"[b,a,ab] array<string>", "true boolean"}, "[a,ab,b] array<string>"},
      {{"[0.0,nan,-0.0,-1] array<double>", "false boolean"}, "[nan,0,-0,-1] array<double>"},
      {{"[] array<int>", "true boolean"}, "[] array<int>"},
      {{"null array<int>", "true boolean"}, "null array<int>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto array = call.argument("base");
    const auto ascending = call.argument("ascendingOrder");
    call.finish();
    const auto order = call.builder().constant_of(ascending);
    if (!order) call.refuse("in an order that is no constant");
    const bool is_ascending = !order->is_null(0) && order->template values<uint8_t>()[0] != 0;
    const types::Field element = call.type().fields().front();
    if (!element.type.is_floating() || element.nullable || !is_ascending) return call.call({array, ascending});
    if (!call.can_leave_rows()) call.refuse("of floats in ascending order");
    return call.call("io.accelerant.SortedFloats", {array, ascending});
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    if (call.num_rows() == 0) return columns::Column::nulls(call.type(), 0, call.budget());
    const StoredRows orders(call.argument(1));
    const bool ascending = orders.values().values<uint8_t>()[orders.place(0)] != 0;
    return sort_elements(call, ascending, ascending);
  }
};

}  // namespace accelerant::column_functions
