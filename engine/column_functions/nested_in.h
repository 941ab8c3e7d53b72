#pragma once

#include "column_functions/compared_rows.h"
#include "column_functions/place_set.h"

#include <cstdint>
#include <span>

namespace accelerant::column_functions {

/// The constants are a constant array, the second argument.
struct NestedIn {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.NestedIn",
      .sql = "(expr IN constants that are nested values)",
      .text = "Says whether a nested value is one of some constants; null where it may be one of their nulls.",
  };
  static constexpr const char* kSignatures[] = {"T, array<T> -> boolean"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,null] array<int>", "[[2],[1,null]] array<array<int>>"}, "true boolean"},
      {{"[1] array<int>", "[[2],[1,null]] array<array<int>>"}, "false boolean"},
      {{"[1] array<int>", "[[2],null] array<array<int>>"}, "null boolean"},
      {{"null array<int>", "[[2]] array<array<int>>"}, "null boolean"},
      {{"(7,[-0.0]) struct<x:int,y:array<double>>",
        "[(1,[]),(2,[]),(3,[]),(4,[]),(5,[]),(6,[]),(7,[0]),(8,[]),(9,[]),(10,[]),(11,[]),(12,[]),(13,[]),(14,[]),(15,["
        "]),"
        "(16,[]),(17,[]),(18,[])] array<struct<x:int,y:array<double>>>"},
       "true boolean"},
  };

  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    return have_nested_order(arguments);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
    if (call.num_rows() == 0) return builder.finish();
    const columns::ColumnPtr constants = constants_of(call);
    const int64_t num_constants = constants->length();
    const columns::ColumnPtr both[] = {constants, call.arguments()[0]};
    const columns::ColumnPtr all = columns::concatenate(both, call.budget());
    with_set(*all, call.budget(), [&](auto& set) {
      set.start(num_constants);
      for (int64_t place = 0; place < num_constants; ++place) set.add(place);
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        const bool is_found = call.counts(row) && set.has(num_constants + row);
        builder.values<uint8_t>()[row] = is_found;
        if (!is_found && set.has_null()) bits::clear(builder.validity(), row);
      }
    });
    return builder.finish();
  }

 private:
  /// Returns the elements of the array, which is the same in all rows that count.
  static columns::ColumnPtr constants_of(const ColumnCall& call) {
    const ListRows lists(call.argument(1));
    int64_t row = 0;
    while (row + 1 < call.num_rows() && !call.counts(row)) ++row;
    return lists.values().children().front()->slice(lists.first(row), lists.size(row));
  }
};

}  // namespace accelerant::column_functions
