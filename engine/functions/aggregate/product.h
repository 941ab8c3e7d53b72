#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

struct Product {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Product",
      .sql = "product(expr)",
      .text = "Returns the product of the values that are not null, multiplied in the order of their rows.",
      .fields = {"child"},
      .order_sensitive = true,
  };
  using Signatures = SignatureList<Signature<types::DoubleType, types::DoubleType>>;
  static constexpr AggregateExample kExamples[] = {
      {"2 double | null double | 3 double | -0.5 double", "-3 double"},
      {"0.1 double | 3 double", "0.30000000000000004 double"},
      {"0 double | inf double", "nan double"},
      {"null double", "null double"},
  };

  static constexpr bool kCollects = true;

  ACC_HD static types::Nullable<double> finish(List<double> values, const AggregateContext&) {
    double product = 1;
    for (int64 i = 0; i < values.length; ++i) product *= values.values[i];
    return {product, values.length > 0};
  }
};

}  // namespace accelerant::functions
