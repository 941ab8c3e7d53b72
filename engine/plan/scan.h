#pragma once

#include "io/scan.h"
#include "plan/node.h"

#include <memory>
#include <vector>

namespace accelerant::plan {

/// Reads files, with the filters that Spark has directly above it (`spec->filters`). Its files come with the splits
/// message, under the index `plan_node`. `output` is `spec->columns` without those that only filters need.
struct Scan final : SourceOf<Scan> {
  /// Binds FileSourceScanExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Scan"; }
  std::string describe() const override;
  double estimate_rows(Estimates& estimates) const override;
  ValueEstimate estimate_column(int column, Estimates& estimates) const override;
  std::vector<ProgramPtr> programs() const override { return spec ? spec->filters : std::vector<ProgramPtr>(); }

  std::shared_ptr<const io::ScanSpec> spec;
  std::vector<types::DataType> partition_types;  ///< of the partition values in the splits message, in order
};

}  // namespace accelerant::plan
