#pragma once

#include "functions/aggregate/sorted_list.h"
#include "functions/comparison/order.h"

namespace accelerant::functions {

struct Mode {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Mode",
      .sql = "mode(expr, true)",
      .text = "Returns the most frequent value that is not null, of several the least, or as ordered within the group.",
      .fields = {"child"},
      .gives_values = true,
  };
  static constexpr AggregateFlag kFlags[] = {
      {.field = "reverseOpt", .option = &AggregateOptions::prefers_least, .is_option = true}};
  // Floating-point numbers and binary values are not among them: Spark 4.1 counts both zeros apart, and names the one
  // that its hash table has first, and some versions count each binary value apart.
  using Signatures = UnarySame<types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                               types::DecimalType, types::StringType, types::DateType, types::TimestampType,
                               types::TimestampNtzType, types::DayTimeIntervalType, types::YearMonthIntervalType>;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | 3 int | null int | 3 int | null int | null int", "3 int", 0, {.prefers_least = true}},
      {"3 int | 1 int | 2 int | 1 int | 3 int", "1 int", 0, {.prefers_least = true}},
      {"3 int | 1 int | 2 int | 1 int | 3 int", "3 int"},
      {"true boolean | false boolean", "false boolean", 0, {.prefers_least = true}},
      {"a string of more than twelve bytes string | b string | a string of more than twelve bytes string",
       "a string of more than twelve bytes string"},
      {"-1.50 decimal(5,2) | 2.00 decimal(5,2)", "2.00 decimal(5,2)"},
      {"12345678901234567890.5 decimal(30,1) | 1.0 decimal(30,1) | 1.0 decimal(30,1)", "1.0 decimal(30,1)"},
      {"7 micros | 7 micros | 8 micros", "7 micros"},
      {"null date", "null date"},
  };

  static constexpr bool kCollects = true;

  template <class T>
  ACC_HD static types::Nullable<T> finish(List<T> values, const AggregateContext& context) {
    sort_list(values, [](T lhs, T rhs) { return less(lhs, rhs); });
    int64 best = 0;
    int64 most = 0;
    for (int64 first = 0, end = 0; first < values.length; first = end) {
      while (end < values.length && equals(values.values[first], values.values[end])) ++end;
      const int64 times = end - first;
      if (times > most || (times == most && !context.options.prefers_least)) best = first;
      if (times > most) most = times;
    }
    return {most > 0 ? values.values[best] : T(), most > 0};
  }
};

}  // namespace accelerant::functions
