#pragma once

#include "functions/definition.h"
#include "types/string_view.h"

namespace accelerant::functions {

struct Empty2Null {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Empty2Null",
      .sql = "empty2null(str)",
      .text = "Makes the empty string null: Spark writes partitioned tables with it.",
  };
  using Signatures = SignatureList<Signature<types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"a string"}, "a string"},
      {{" string"}, "null string"},
      {{"a string of more than twelve bytes string"}, "a string of more than twelve bytes string"},
      {{"null string"}, "null string"},
  };

  ACC_HD static types::Nullable<types::StringRef> call_nullable(types::Nullable<types::StringRef> text) {
    return {text.value, text.valid && text.value.length > 0};
  }
};

}  // namespace accelerant::functions
