#pragma once

#include "column_functions/chosen_elements.h"
#include "column_functions/place_set.h"

#include <cstdint>
#include <vector>

namespace accelerant::column_functions {

struct LastEntries {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.LastEntries",
      .sql = "(a map in which the last entry of a key wins)",
      .text = "Returns a map's keys, each once and where it was first, with the last of its values.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V> -> map<K, V>"};
  static constexpr functions::Example kExamples[] = {
      {{"{1:a,2:b,1:c,3:null,1:d} map<int,string>"}, "{1:d,2:b,3:null} map<int,string>"},
      {{"{a:1,b:2} map<string,int>"}, "{a:1,b:2} map<string,int>"},
      {{"{} map<string,int>"}, "{} map<string,int>"},
      {{"null map<string,int>"}, "null map<string,int>"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows maps(call.argument(0));
    ChosenElements keys(call);
    ChosenElements values(call);
    std::vector<int64_t> last;  // of a row's keys, each: the place of its value
    with_set(maps.elements(), call.budget(), [&](auto& set) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        last.clear();
        if (call.counts(row)) add_row(maps, row, set, keys, last);
        for (const int64_t place : last) values.add(place);
        keys.end_row();
        values.end_row();
      }
    });
    return keys.finish_of({keys.take(maps.elements()), values.take(maps.map_values())});
  }

 private:
  template <class Set>
  static void add_row(const ListRows& maps, int64_t row, Set& set, ChosenElements& keys, std::vector<int64_t>& last) {
    const int64_t first = maps.first(row);
    const int64_t end = first + maps.size(row);
    set.start(end - first);
    for (int64_t place = first; place < end; ++place) {
      if (set.add(place)) {
        keys.add(place);
        last.push_back(place);
      } else {
        last[static_cast<size_t>(set.number_of(place))] = place;
      }
    }
  }
};

}  // namespace accelerant::column_functions
