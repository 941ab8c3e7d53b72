#pragma once

#include "execution/context.h"
#include "expressions/pruning.h"
#include "io/orc_stripe_reader.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// Decides from what files say of the values in their stripes which a scan needs. Statistics are read only where
/// something asks for them.
class OrcPruning {
 public:
  /// Both arguments outlive it.
  OrcPruning(const ScanSpec& spec, const execution::OperatorContext& ctx);

  /// Says whether a row of a stripe may be wanted. Stripes of a file best come together.
  bool keeps(const OrcTask& task);

 private:
  bool may_be_wanted(const OrcTask& task);
  bool is_asked_for(size_t column) const;
  void read_statistics(const OrcTask& task);
  expressions::ColumnStatistics statistics(const OrcTask& task, size_t column) const;

  const ScanSpec& spec_;
  const execution::OperatorContext& ctx_;
  const KeyFiltering key_filters_;
  std::shared_ptr<const OrcFile> file_;              ///< whose statistics were read last
  std::vector<int64_t> columns_;                     ///< of it, that filters ask for
  std::vector<std::vector<OrcStatistics>> stripes_;  ///< its, by those columns
};

}  // namespace accelerant::io
