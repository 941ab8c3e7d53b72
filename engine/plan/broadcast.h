#pragma once

#include "plan/of_partitions.h"

#include <string>

namespace accelerant::plan {

/// Hands all rows to each task of a join above, which holds them in memory.
struct Broadcast final : OfPartitions<Broadcast> {
  /// Binds BroadcastExchangeExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Broadcast"; }
  std::string describe() const override { return ""; }
  auto members() const { return std::tuple(); }
};

}  // namespace accelerant::plan
