#pragma once

#include "plan/of_partitions.h"

#include <cstdint>
#include <string>

namespace accelerant::plan {

/// What a program asks of the partitions that Spark spreads rows over.
enum class Asked : uint8_t {
  Nothing,   ///< they are for the sake of an operator above
  Number,    ///< so many, of whichever rows
  Together,  ///< each with all rows of like values, or nearly so many rows as another
  One,       ///< a single one, as one task makes it
  OneOfAll,  ///< a single one, of what several tasks make
};

/// Spreads rows over partitions.
struct Exchange final : OfPartitions<Exchange> {
  /// Binds ShuffleExchangeExec.
  static Relation bind(Binding& binding, NodeFields& fields);
  /// Binds CoalesceExec.
  static Relation bind_coalesce(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Exchange"; }
  std::string describe() const override { return ""; }
  auto members() const { return std::tie(asked); }

  Asked asked = Asked::Nothing;
};

}  // namespace accelerant::plan
