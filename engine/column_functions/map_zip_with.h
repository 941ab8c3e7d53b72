#pragma once

#include "column_functions/bind_lambda.h"
#include "column_functions/floats.h"
#include "column_functions/joined_elements.h"
#include "column_functions/place_set.h"
#include "column_functions/spread_elements.h"

#include <utility>
#include <vector>

namespace accelerant::column_functions {

struct MapZipWith {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MapZipWith",
      .sql = "map_zip_with(map1, map2, (key, value1, value2) -> value)",
      .text = "Returns what a lambda gives for the values of two maps under each key of either.",
  };
  static constexpr const char* kSignatures[] = {"map<K, V>, map<K, W> -> map<K, U>"};

  static bool supports(std::span<const types::DataType>, const types::DataType& result) {
    return !has_floats(result.fields().front().type);
  }
  static constexpr int kNumLambdas = 1;

  template <class Call>
  static auto bind(Call& call) {
    return bind_lambda_of_two(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const std::vector<ListRows> maps = lists_of(call);
    const JoinedElements keys(call, maps, 0);
    Entries entries(call);
    memory::Array<int32_t> sizes(call.budget());
    with_set(keys.column(), call.budget(), [&](auto& set) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        const int64_t before = entries.keys.size();
        if (call.counts(row)) entries.add(keys, maps, row, set);
        sizes.push_back(static_cast<int32_t>(entries.keys.size() - before));
      }
    });
    const SpreadElements spread(call, sizes.span());
    const columns::ColumnPtr taken = columns::gather(keys.column(), entries.keys.span(), call.budget());
    columns::ColumnPtr left = columns::gather_or_null(maps[0].map_values(), entries.left.span(), call.budget());
    columns::ColumnPtr right = columns::gather_or_null(maps[1].map_values(), entries.right.span(), call.budget());
    return spread.lists(call.type(),
                        {taken, spread.run(call, call.lambda(0), {taken, std::move(left), std::move(right)})});
  }

 private:
  /// The entries of all rows: the places of their keys among all, of their values in either map; -1 is none.
  struct Entries {
    explicit Entries(const ColumnCall& call) : keys(call.budget()), left(call.budget()), right(call.budget()) {}

    template <class Set>
    void add(const JoinedElements& all, const std::vector<ListRows>& maps, int64_t row, Set& set) {
      const int64_t before = keys.size();
      set.start(int64_t{maps[0].size(row)} + maps[1].size(row));
      for (int32_t i = 0; i < maps[0].size(row); ++i) {
        if (set.add(all.first(0, row) + i)) append(all.first(0, row) + i, maps[0].first(row) + i, -1);
      }
      for (int32_t i = 0; i < maps[1].size(row); ++i) {
        const int64_t key = all.first(1, row) + i;
        const int64_t number = set.number_of(key);
        if (number < 0) {
          set.add(key);
          append(key, -1, maps[1].first(row) + i);
        } else if (right[before + number] < 0) {
          right[before + number] = maps[1].first(row) + i;
        }
      }
    }
    void append(int64_t key, int32_t left_place, int32_t right_place) {
      keys.push_back(static_cast<int32_t>(key));
      left.push_back(left_place);
      right.push_back(right_place);
    }

    memory::Array<int32_t> keys, left, right;
  };
};

}  // namespace accelerant::column_functions
