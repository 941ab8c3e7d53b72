#pragma once

#include "column_functions/set_elements.h"

#include <cstdint>
#include <span>
#include <vector>

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
      {{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17] array<int>",
        "[17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33] array<int>"},
       "true boolean"},
      {{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17] array<int>",
        "[null,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33] array<int>"},
       "null boolean"},
  };

  template <class Call>
  static auto bind(Call& call) {
    return bind_sets(call);
  }

  static columns::ColumnPtr call(ColumnCall& call) {
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
    const std::vector<int64_t> long_rows = compare_short(call, builder);
    if (!long_rows.empty()) look_up_long(call, long_rows, builder);
    return builder.finish();
  }

 private:
  /// Up to so many elements of one array are compared with all of the other.
  static constexpr int64_t kFew = 16;

  static void answer(columns::FlatBuilder& builder, int64_t row, bool is_met, bool may_be_met) {
    builder.values<uint8_t>()[row] = is_met;
    if (!is_met && may_be_met) bits::clear(builder.validity(), row);
  }

  /// Returns the rows with many elements on both sides, which it leaves out.
  static std::vector<int64_t> compare_short(const ColumnCall& call, columns::FlatBuilder& builder) {
    const ListRows lefts(call.argument(0));
    const ListRows rights(call.argument(1));
    const NullRows left_nulls(lefts.elements());
    const NullRows right_nulls(rights.elements());
    std::vector<int64_t> long_rows;
    with_equality(lefts.elements(), rights.elements(), [&](auto equal) {
      for (int64_t row = 0; row < call.num_rows(); ++row) {
        const ElementRange left = call.counts(row) ? lefts.range(row) : ElementRange{0, 0};
        const ElementRange right = call.counts(row) ? rights.range(row) : ElementRange{0, 0};
        if (left.size() > kFew && right.size() > kFew) {
          long_rows.push_back(row);
          continue;
        }
        const bool is_met = has_pair(left, left_nulls, right, right_nulls, equal);
        const bool has_null = has_some(left_nulls, left) || has_some(right_nulls, right);
        answer(builder, row, is_met, has_null && left.size() > 0 && right.size() > 0);
      }
    });
    return long_rows;
  }

  template <class Equal>
  static bool has_pair(ElementRange left, const NullRows& left_nulls, ElementRange right, const NullRows& right_nulls,
                       const Equal& equal) {
    for (int64_t i = left.first; i < left.end; ++i) {
      if (left_nulls.has(i)) continue;
      for (int64_t j = right.first; j < right.end; ++j) {
        if (!right_nulls.has(j) && equal(i, j)) return true;
      }
    }
    return false;
  }
  static bool has_some(const NullRows& nulls, ElementRange range) {
    for (int64_t place = range.first; nulls.may_have_some() && place < range.end; ++place) {
      if (nulls.has(place)) return true;
    }
    return false;
  }

  static void look_up_long(const ColumnCall& call, std::span<const int64_t> rows, columns::FlatBuilder& builder) {
    const std::vector<ListRows> lists = lists_of(call);
    const JoinedElements elements(call, lists, 0);
    const NullRows nulls(elements.column());
    with_set(elements.column(), call.budget(), [&](auto& set_of_right) {
      for (const int64_t row : rows) {
        const ElementRange right{elements.first(1, row), elements.end(1, row)};
        const ElementRange left{elements.first(0, row), elements.end(0, row)};
        set_of_right.start(right.size());
        add_to(set_of_right, right);
        answer(builder, row, has_one_of(set_of_right, left, nulls), set_of_right.has_null() || has_some(nulls, left));
      }
    });
  }

  template <class Set>
  static bool has_one_of(const Set& set, ElementRange range, const NullRows& nulls) {
    for (int64_t place = range.first; place < range.end; ++place) {
      if (!nulls.has(place) && set.has(place)) return true;
    }
    return false;
  }
};

}  // namespace accelerant::column_functions
