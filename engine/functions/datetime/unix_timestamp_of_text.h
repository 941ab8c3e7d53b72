#pragma once

#include "functions/datetime/to_unix_timestamp_of_text.h"

namespace accelerant::functions {

/// The same function under its older name.
struct UnixTimestampOfText : ToUnixTimestampOfText {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnixTimestamp",
      .sql = "(unix_timestamp(str, fmt))",
      .text = ToUnixTimestampOfText::kDescription.text,
      .needs_spark = true,
      .setting = kTimeParserPolicy,
  };
};

}  // namespace accelerant::functions
