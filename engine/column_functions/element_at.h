#pragma once

#include "column_functions/integers.h"
#include "column_functions/map_lookup.h"

namespace accelerant::column_functions {

struct ElementAt {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ElementAt",
      .sql = "element_at(collection, key)",
      .text =
          "Returns the element of an array at an index, from 1 on or from -1 backwards, or the value of a map "
          "under a key.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V>, K -> V", "array<T>, int -> T"};
  static constexpr functions::Example kExamples[] = {
      {{"[7,8,9] array<int>", "1 int"}, "7 int"},
      {{"[7,8,9] array<int>", "-1 int"}, "9 int"},
      {{"[7,null] array<int>", "2 int"}, "null int"},
      {{"{1:a,2:b} map<int,string>", "2 int"}, "b string"},
      {{"{1:a} map<int,string>", "2 int"}, "null string"},
      {{"[7] array<int>", "0 int"}, "null int", functions::kExternalError},
  };
  /// There is no element 0 in any mode.
  static constexpr bool can_fail(bool) { return true; }

  template <class Call>
  static auto bind(Call& call) {
    const auto collection = call.argument("left");
    const auto key = call.argument("right");
    const auto mode = call.mode();
    call.require_unset("defaultValueOutOfBound");
    call.finish();
    return call.call({collection, key}, mode);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    if (call.argument(0).type().is(types::TypeId::Map)) return look_up(call);
    const ListRows lists(call.argument(0));
    const Integers indices(call.argument(1));
    return take_elements(call, lists.elements(), [&](int64_t row) {
      const int64_t index = indices.at(row);
      const int64_t place = index < 0 ? lists.size(row) + index : index - 1;
      if (index != 0 && place >= 0 && place < lists.size(row)) return static_cast<int32_t>(lists.first(row) + place);
      if (index == 0 || call.is_ansi()) call.fail(row);
      return -1;
    });
  }
};

}  // namespace accelerant::column_functions
