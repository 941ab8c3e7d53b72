#pragma once

#include "plan/of_partitions.h"

#include <cstdint>
#include <string>

namespace accelerant::plan {

/// Emits at most so many rows of each partition. Only Spark's optimizer makes it: below a limit of all rows, or in a
/// join's side of which more rows never count.
struct LocalLimit final : OfPartitions<LocalLimit> {
  /// Binds LocalLimitExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "LocalLimit"; }
  std::string describe() const override { return "limit=" + std::to_string(limit); }
  auto members() const { return std::tie(limit); }

  int64_t limit = 0;
};

}  // namespace accelerant::plan
