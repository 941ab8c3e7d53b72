#pragma once

#include "column_functions/set_elements.h"

namespace accelerant::column_functions {

struct ArraysOverlap {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArraysOverlap",
      .sql = "arrays_overlap(array1, array2)",
      .text = "Says whether arrays have an element in common; null where it may be one of their nulls.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, array<T> -> boolean"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2] array<int>", "[3,2] array<int>"}, "true boolean"},
      {{"[1] array<int>", "[2] array<int>"}, "false boolean"},
      {{"[1,null] array<int>", "[2] array<int>"}, "null boolean"},
      {{"[null] array<int>", "[null] array<int>"}, "null boolean"},
      {{"[1,null] array<int>", "[] array<int>"}, "false boolean"},
      {{"[a,null] array<string>", "[a] array<string>"}, "true boolean"},
      {{"[-0.0] array<double>", "[0.0] array<double>"}, "true boolean"},
      {{"[nan,1] array<double>", "[-nan] array<double>"}, "true boolean"},
      {{"[1] array<int>", "null array<int>"}, "null boolean"},
  };

  template <class Call>
  static auto bind(Call& call) {
    return bind_sets(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    const std::vector<ListRows> lists = lists_of(call);
    const JoinedElements elements(call, lists, 0);
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
    with_set(elements.column(), call.budget(), [&](auto& set) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        builder.values<uint8_t>()[row] = false;
        if (!call.counts(row)) continue;
        const ElementRange right{elements.first(1, row), elements.end(1, row)};
        const ElementRange left{elements.first(0, row), elements.end(0, row)};
        set.start(right.size());
        add_to(set, right);
        const bool is_met = has_one_of(set, left, elements.column());
        builder.values<uint8_t>()[row] = is_met;
        const bool may_be_met = left.size() > 0 && right.size() > 0 && (set.has_null() || has_null(left, elements));
        if (!is_met && may_be_met) bits::clear(builder.validity(), row);
      }
    });
    return builder.finish();
  }

 private:
  template <class Set>
  static bool has_one_of(const Set& set, ElementRange range, const columns::Column& elements) {
    for (int64_t place = range.first; place < range.end; ++place) {
      if (!elements.is_null(place) && set.has(place)) return true;
    }
    return false;
  }
  static bool has_null(ElementRange range, const JoinedElements& elements) {
    for (int64_t place = range.first; place < range.end; ++place) {
      if (elements.column().is_null(place)) return true;
    }
    return false;
  }
};

}  // namespace accelerant::column_functions
