#pragma once

#include "functions/aggregate/row_count.h"

namespace accelerant::functions {

struct Count {
  static constexpr AggregateDescription kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.aggregate.Count",
      .sql = "count(expr, ...)",
      .text = "Returns the number of rows in which no argument is null; count(*) that of all rows.",
      .evaluated = Evaluated::UpToNull,
      .counts_rows = true,
  };
  using Signatures = SignatureList<Signature<types::LongType>>;
  static constexpr AggregateExample kExamples[] = {
      {"1 int | null int | 3 int", "2 bigint"},
      {"null string", "0 bigint"},
      {"1 int ; a string | null int ; b string | 3 int ; null string", "1 bigint"},
  };

  using State = RowCount;

  ACC_HD static types::Nullable<int64> finish(const RowCount& state, const AggregateContext&) {
    return {state.rows, true};
  }
};

}  // namespace accelerant::functions
