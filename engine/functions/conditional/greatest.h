#pragma once

#include "functions/comparison/order.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Greatest {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Greatest",
      .sql = "greatest(expr1, expr2, ...)",
      .text = "Returns the greatest value that is not null.",
  };
  using Signatures = BinarySame<types::BooleanType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                                types::FloatType, types::DoubleType, types::DecimalType, types::StringType,
                                types::BinaryType, types::DateType, types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"1 int", "2 int"}, "2 int"},
      {{"null int", "2 int"}, "2 int"},
      {{"1 int", "null int"}, "1 int"},
      {{"null int", "null int"}, "null int"},
      {{"nan double", "inf double"}, "nan double"},
      {{"-0.0 double", "0.0 double"}, "-0 double"},
      {{"a string of more than twelve bytes string", "a string of more than twelve words string"},
       "a string of more than twelve words string"},
      {{"b string", "a string of more than twelve words string"}, "b string"},
      {{"1.5 decimal(3,1)", "12345678901234567890.5 decimal(38,1)"}, "12345678901234567890.5 decimal(38,1)"},
      {{"1994-01-01 date", "1995-01-01 date"}, "1995-01-01 date"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto values = call.arguments("children");
    call.finish();
    if (values.empty()) call.refuse("of nothing");
    for (const auto value : values) call.require_type(value, call.type());
    return call.call_in_turn(values, 2);
  }

  template <class T>
  ACC_HD static types::Nullable<T> call_nullable(types::Nullable<T> lhs, types::Nullable<T> rhs) {
    const bool takes_right = rhs.valid && (!lhs.valid || less(lhs.value, rhs.value));
    return takes_right ? rhs : lhs;
  }
};

}  // namespace accelerant::functions
