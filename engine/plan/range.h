#pragma once

#include "plan/source_of.h"

#include <cstdint>
#include <string>

namespace accelerant::plan {

/// The numbers start, start + step, …: `num_rows` of them, none beyond 64 bits. With no column in `output` it is that
/// many rows of nothing.
struct Range final : SourceOf<Range> {
  /// Binds RangeExec.
  static Relation bind(Binding& binding, NodeFields& fields);
  /// Binds OneRowRelationExec, which gives a SELECT without FROM its row.
  static Relation bind_one_row(Binding& binding, NodeFields& fields);
  /// Binds RDDScanExec where it is a OneRowRelation, as before Spark 4.2.
  static Relation bind_rdd_scan(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Range"; }
  std::string describe() const override;

  int64_t start = 0;
  int64_t step = 1;
  int64_t num_rows = 0;
  int64_t num_slices = 1;  ///< partitions of Spark's
};

}  // namespace accelerant::plan
