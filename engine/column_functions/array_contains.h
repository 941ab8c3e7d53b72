#pragma once

#include "column_functions/definition.h"
#include "column_functions/stored_rows.h"
#include "column_functions/value_order.h"

namespace accelerant::column_functions {

struct ArrayContains {
  static constexpr functions::Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ArrayContains",
      .sql = "array_contains(array, value)",
      .text = "Says whether an array has a value; null where it may be one of its nulls.",
  };
  static constexpr const char* kSignatures[] = {"array<T>, T -> boolean"};
  static constexpr functions::Example kExamples[] = {
      {{"[1,2,null] array<int>", "2 int"}, "true boolean"},
      {{"[1,2,null] array<int>", "3 int"}, "null boolean"},
      {{"[1,2] array<int>", "3 int"}, "false boolean"},
      {{"[nan,1] array<double>", "nan double"}, "true boolean"},
      {{"[] array<string>", "a string"}, "false boolean"},
      {{"[a] array<string>", "null string"}, "null boolean"},
      {{"[[1,null],[2]] array<array<int>>", "[1,null] array<int>"}, "true boolean"},
  };

  static columns::ColumnPtr call(ColumnCall& call) {
    const ListRows lists(call.argument(0));
    const StoredRows wanted(call.argument(1));
    columns::FlatBuilder builder(call.type(), types::PhysicalType::Bool, call.num_rows(), call.budget());
    const NullRows nulls(lists.elements());
    auto* const to = builder.values<uint8_t>();
    with_equality(lists.elements(), wanted.values(), [&](auto equal) {
      for (int64_t row = 0, num_rows = call.num_rows(); row < num_rows; ++row) {
        const ElementRange range = lists.range(row);
        const Answer answer = call.counts(row) ? look(nulls, range, wanted.place(row), equal) : Answer::No;
        to[row] = answer == Answer::Yes;
        if (answer == Answer::Unknown) bits::clear(builder.validity(), row);
      }
    });
    return builder.finish();
  }

 private:
  enum class Answer : uint8_t { No, Yes, Unknown };

  template <class Equal>
  static Answer look(const NullRows& nulls, ElementRange range, int64_t wanted, const Equal& equal) {
    Answer answer = Answer::No;
    for (int64_t element = range.first; element < range.end; ++element) {
      if (nulls.has(element)) {
        answer = Answer::Unknown;
      } else if (equal(element, wanted)) {
        return Answer::Yes;
      }
    }
    return answer;
  }
};

}  // namespace accelerant::column_functions
