#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

struct CollectSet {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.CollectSet",
      .sql = "collect_set(expr)",
      .text = "Returns the different values that are not null, in any order.",
      .fields = {"child"},
      .is_distinct = true,
      .gives_values = true,
  };
  static constexpr AggregateFlag kFlags[] = {{"ignoreNulls", &AggregateOptions::ignores_nulls, true}};
  // Floating-point numbers are not among them: Spark keeps both zeros.
  template <class... Types>
  using ListOf = SignatureList<Signature<types::ArrayType, Types>...>;
  using Signatures =
      ListOf<types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType, types::DecimalType,
             types::StringType, types::BinaryType, types::DateType, types::TimestampType, types::TimestampNtzType,
             types::DayTimeIntervalType, types::YearMonthIntervalType>;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 1 int", "[1] array<int>"},
      {"null string", "[] array<string>"},
  };

  static constexpr bool kCollects = true;
};

}  // namespace accelerant::functions
