#pragma once

#include "functions/datetime/to_unix_timestamp.h"

namespace accelerant::functions {

/// The same function under its older name.
struct UnixTimestamp : ToUnixTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnixTimestamp",
      .sql = "unix_timestamp(time)",
      .text = ToUnixTimestamp::kDescription.text,
  };
};

}  // namespace accelerant::functions
