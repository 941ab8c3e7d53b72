#pragma once

#include "column_functions/joined_elements.h"
#include "column_functions/spread_elements.h"

#include <utility>
#include <vector>

namespace accelerant::column_functions {

struct ArraysZip {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArraysZip",
      .sql = "arrays_zip(array1, array2, ...)",
      .text = "Returns structs of the elements at one position of arrays; shorter ones give nulls.",
  };
  static constexpr const char* kSignatures[] = {"array<any>... -> array<struct>"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null] array<int>", "[a] array<string>"}, "[(1,a),(null,null)] array<struct<x:int,y:string>>"},
      {{"[1] array<int>"}, "[(1)] array<struct<x:int>>"},
      {{"[] array<int>", "[] array<int>"}, "[] array<struct<x:int,y:int>>"},
      {{"[1] array<int>", "null array<int>"}, "null array<struct<x:int,y:int>>"},
  };

  template <class Call>
  static auto bind(Call& call) {
    const auto arrays = call.arguments("children");
    call.skip("names");
    call.finish();
    if (arrays.empty()) call.refuse("of no arrays");
    return call.call(arrays);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const std::vector<ListRows> lists = lists_of(call);
    const SpreadElements elements(call, longest_of(call, lists).span());
    std::vector<columns::ColumnPtr> members;
    for (const ListRows& list : lists) {
      members.push_back(columns::flatten(elements.values_or_null(list, list.elements()), call.budget()));
    }
    return elements.lists(call.type(), {columns::Column::flat({call.type().fields().front().type,
                                                               types::PhysicalType::Struct,
                                                               elements.num_elements(),
                                                               0,
                                                               nullptr,
                                                               nullptr,
                                                               {},
                                                               std::move(members)})});
  }
};

}  // namespace accelerant::column_functions
