#pragma once

#include "plan/of_partitions.h"

#include <string>

namespace accelerant::plan {

/// Spreads rows over partitions, for the sake of an operator above.
struct Exchange final : OfPartitions<Exchange> {
  /// Binds ShuffleExchangeExec, but for one that a program asks for.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Exchange"; }
  std::string describe() const override { return ""; }
  bool equals(const Exchange&) const { return true; }
};

}  // namespace accelerant::plan
