#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/value_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace accelerant::column_functions {

/// Spark puts it where it groups by maps, so that equal maps are the same bytes.
struct MapSort {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapSort",
      .sql = "(put by Spark where maps are grouped)",
      .text = "Sorts the entries of a map by their keys.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> map<K, V>"};
  static constexpr functions::Example kExamples[] = {
      {{"{b:x,a:null} map<string,string>"}, "{a:null,b:x} map<string,string>"},
      {{"{3:x,1:y,2:z} map<int,string>"}, "{1:y,2:z,3:x} map<int,string>"},
      {{"{nan:x,2:y,-1:z} map<double,string>"}, "{-1:z,2:y,nan:x} map<double,string>"},
      {{"{} map<int,string>"}, "{} map<int,string>"},
      {{"null map<int,string>"}, "null map<int,string>"},
  };

  /// Refuses nullable values that Java holds as primitive ones: Spark's compiled code makes 0 of their nulls.
  static bool supports(std::span<const types::DataType> arguments, const types::DataType&) {
    const types::Field& value = arguments.front().fields()[1];
    const bool is_primitive =
        !value.type.is_nested() && !value.type.is_decimal() && value.type.physical() != types::PhysicalType::String;
    return has_order(arguments.front().fields().front().type) && !(is_primitive && value.nullable);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows maps(call.argument(0));
    const columns::Column& keys = maps.elements();
    ChosenElements chosen(call);
    std::vector<int32_t> places;
    with_order(keys, keys, [&](auto compare) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        places.resize(static_cast<size_t>(call.counts(row) ? maps.size(row) : 0));
        std::iota(places.begin(), places.end(), maps.first(row));
        std::stable_sort(places.begin(), places.end(), [&](int32_t i, int32_t j) { return compare(i, j) < 0; });
        for (const int32_t place : places) chosen.add(place);
        chosen.end_row();
      }
    });
    return chosen.finish_of({chosen.take(keys), chosen.take(maps.map_values())});
  }
};

}  // namespace accelerant::column_functions
