#pragma once

#include "column_functions/definition.h"
#include "column_functions/taken_rows.h"
#include "columns/gather.h"

namespace accelerant::column_functions {

struct CreateArray {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.CreateArray",
      .sql = "array(value, ...)",
      .text = "Makes an array of values.",
  };
  static constexpr const char* kSignatures[] = {"T... -> array<T>"};
  static constexpr functions::Example kExamples[] = {
      {{"1 int", "null int", "3 int"}, "[1,null,3] array<int>"},
      {{"a string"}, "[a] array<string>"},
      {{"[1] array<int>", "[] array<int>"}, "[[1],[]] array<array<int>>"},
  };
  static constexpr bool kSeesNulls = true;

  template <class Call>
  static auto bind(Call& call) {
    const auto values = call.arguments("children");
    call.flag("useStringTypeWhenEmpty", false);
    call.finish();
    if (values.empty()) call.refuse("of no values");
    return call.call(values);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const auto width = static_cast<int64_t>(call.arguments().size());
    TakenRows taken(call.num_rows() * width, call.budget());
    TakenRows offsets(call.num_rows() + 1, call.budget());
    for (int64_t row = 0; row <= call.num_rows(); ++row) offsets[row] = static_cast<int32_t>(row * width);
    for (int64_t i = 0; i < call.num_rows() * width; ++i) {
      taken[i] = static_cast<int32_t>(i % width * call.num_rows() + i / width);
    }
    const columns::ColumnPtr values = columns::concatenate(call.arguments(), call.budget());
    columns::ColumnPtr elements = columns::gather(*values, taken.span(), call.budget());
    return columns::Column::flat({call.type(),
                                  types::PhysicalType::Array,
                                  call.num_rows(),
                                  0,
                                  offsets.buffer(),
                                  nullptr,
                                  {},
                                  {std::move(elements)}});
  }
};

}  // namespace accelerant::column_functions
