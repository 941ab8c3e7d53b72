#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/floats.h"
#include "column_functions/map_keys_check.h"
#include "column_functions/row_nulls.h"

#include <vector>

namespace accelerant::column_functions {

struct MapFromEntries {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapFromEntries",
      .sql = "map_from_entries(entries)",
      .text = "Makes a map of an array of structs of a key and a value; null where one of them is null.",
  };
  static constexpr const char* kSignatures[] = {"array<struct> -> map<K, V>"};
  static constexpr functions::Example kExamples[] = {
      {{"[(1,a),(2,null)] array<struct<key:int,value:string>>"}, "{1:a,2:null} map<int,string>"},
      {{"[(1,a),null] array<struct<key:int,value:string>>"}, "null map<int,string>"},
      {{"[(1,a),(1,b),null] array<struct<key:int,value:string>>"}, "null map<int,string>"},
      {{"[(null,a)] array<struct<key:int,value:string>>"}, "null map<int,string>", functions::kExternalError},
      {{"null array<struct<key:int,value:string>>"}, "null map<int,string>"},
  };
  static constexpr bool can_fail(bool) { return true; }

  template <class Call>
  static auto bind(Call& call) {
    return bind_map_of_arguments(call);
  }

  static bool supports(std::span<const types::DataType>, const types::DataType& result) {
    return !has_floats(result.fields().front().type);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const StoredRows entries(lists.elements());
    ChosenElements chosen(call);
    std::vector<int64_t> nulls;
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (call.counts(row) && !add_entries(lists, entries, row, chosen)) nulls.push_back(row);
      chosen.end_row();
    }
    const std::vector<columns::ColumnPtr>& members = entries.values().children();
    const columns::ColumnPtr keys = chosen.take(*members[0]);
    check_keys(call, *keys, chosen.offsets());
    return with_nulls(chosen.finish_of({keys, chosen.take(*members[1])}), nulls, call.budget());
  }

 private:
  /// Adds a row's entries as places in their members; says whether none of them is null.
  static bool add_entries(const ListRows& lists, const StoredRows& entries, int64_t row, ChosenElements& chosen) {
    const int64_t end = int64_t{lists.first(row)} + lists.size(row);
    for (int64_t entry = lists.first(row); entry < end; ++entry) {
      if (entries.is_null(entry)) return false;
    }
    for (int64_t entry = lists.first(row); entry < end; ++entry) {
      chosen.add(entries.values().offset() + entries.place(entry));
    }
    return true;
  }
};

}  // namespace accelerant::column_functions
