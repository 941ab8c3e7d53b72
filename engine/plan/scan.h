#pragma once

#include "io/scan.h"
#include "plan/source_of.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace accelerant::plan {

/// Reads files. Its files come with the splits message, under the index `plan_node`. `spec->filters` are what of
/// Spark's partition filters only the running query can say, then a filter pushed into it. `output` is `spec->columns`
/// without those that only filters need.
struct Scan final : SourceOf<Scan> {
  /// Binds FileSourceScanExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Scan"; }
  std::string describe() const override;
  double estimate_rows(Estimates& estimates) const override;
  ValueEstimate estimate_column(int column, Estimates& estimates) const override;
  /// Returns its filters: Spark's parser of lines is none of them, as what it makes of odd lines are rows, and not
  /// errors.
  std::vector<ProgramPtr> programs() const override { return spec ? spec->filters : std::vector<ProgramPtr>(); }

  /// Returns the positions in `spec->columns` of what it emits: all but those that only its own filters read.
  std::vector<size_t> emitted_columns() const;
  /// Says whether it does the work of a filter above it.
  bool has_pushed_filter() const { return spec->filter_plan_node != plan_node; }

  std::shared_ptr<const io::ScanSpec> spec;
  std::vector<types::DataType> partition_types;  ///< of the partition values in the splits message, in order
};

}  // namespace accelerant::plan
