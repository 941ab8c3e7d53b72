#pragma once

#include "column_functions/sorted_elements.h"

#include <cmath>
#include <cstdint>

namespace accelerant::column_functions {

/// What sort_array is of floats none of which is null, in ascending order, whose flag is the second argument: Spark's
/// compiled code puts -0.0 before 0.0, and what it does not compile leaves them as they come.
struct SortedFloats {
  static constexpr functions::Description kDescription = {
      .spark_class = "io.accelerant.SortedFloats",
      .sql = "(sort_array of floats)",
      .text = "Sorts floats; arrays with both zeros are left to Spark.",
      .needs_spark = true,
  };
  static constexpr const char* kSignatures[] = {"array<float>, boolean -> array<float>",
                                                "array<double>, boolean -> array<double>"};
  static constexpr functions::Example kExamples[] = {
      {{"[3,nan,-inf,2] array<double>", "true boolean"}, "[-inf,2,3,nan] array<double>"},
      {{"[-0.0,-1] array<float>", "true boolean"}, "[-1,-0] array<float>"},
      {{"[0.0,1,-0.0] array<double>", "true boolean"}, "null array<double>", functions::kNeedsSpark},
      {{"[] array<double>", "true boolean"}, "[] array<double>"},
      {{"null array<double>", "true boolean"}, "null array<double>"},
  };
  static constexpr bool can_fail(bool) { return true; }

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const columns::Column& elements = lists.elements();
    const bool is_double = elements.type().is(types::TypeId::Double);
    for (int64_t row = 0; row < call.num_rows(); ++row) {
      if (!call.counts(row)) continue;
      const bool has_both = is_double ? has_both_zeros<double>(lists, row) : has_both_zeros<float>(lists, row);
      if (has_both) call.leave_to_spark(row);
    }
    return sort_elements(call, true, true);
  }

 private:
  template <class T>
  static bool has_both_zeros(const ListRows& lists, int64_t row) {
    const StoredRows elements(lists.elements());
    bool has_zero[2] = {false, false};
    const int64_t end = int64_t{lists.first(row)} + lists.size(row);
    for (int64_t place = lists.first(row); place < end; ++place) {
      if (elements.is_null(place)) continue;
      const T value = elements.values().values<T>()[elements.place(place)];
      if (value == 0) has_zero[std::signbit(value)] = true;
    }
    return has_zero[0] && has_zero[1];
  }
};

}  // namespace accelerant::column_functions
