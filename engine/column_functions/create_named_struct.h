#pragma once

#include "column_functions/definition.h"
#include "columns/gather.h"

#include <vector>

namespace accelerant::column_functions {

struct CreateNamedStruct {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.CreateNamedStruct",
      .sql = "named_struct(name, value, ...)",
      .text = "Makes a struct of values.",
  };
  static constexpr const char* kSignatures[] = {"any... -> struct"};
  static constexpr functions::Example kExamples[] = {
      {{"1 int", "null string"}, "(1,null) struct<x:int,y:string>"},
      {{"[1] array<int>"}, "([1]) struct<x:array<int>>"},
  };
  static constexpr bool kSeesNulls = true;

  /// The names are those of the result's type.
  template <class Call>
  static auto bind(Call& call) {
    const auto names_and_values = call.arguments("children");
    call.finish();
    auto values = names_and_values;
    values.clear();
    for (size_t i = 1; i < names_and_values.size(); i += 2) values.push_back(names_and_values[i]);
    return call.call(values);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    std::vector<columns::ColumnPtr> members;
    for (const columns::ColumnPtr& argument : call.arguments()) {
      members.push_back(columns::flatten(argument, call.budget()));
    }
    return columns::Column::flat(
        {call.type(), types::PhysicalType::Struct, call.num_rows(), 0, nullptr, nullptr, {}, std::move(members)});
  }
};

}  // namespace accelerant::column_functions
