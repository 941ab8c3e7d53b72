#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/evaluator.h"
#include "io/scan.h"
#include "types/string_view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::io {

/// Has Spark's own code parse the lines that a parser of the engine's is not sure of. One a worker.
class SparkLines {
 public:
  /// @param spec it and `ctx` outlive this
  SparkLines(const ScanSpec& spec, const execution::OperatorContext& ctx);

  /// Has Spark's code forget all lines.
  void start_anew();
  /// Returns what Spark's code makes of lines, a column, with an error for each row of which it fails.
  /// @throws Error Unsupported where the scan has no parser of Spark's
  columns::Batch compute(std::span<const types::StringRef> lines);
  /// Puts what Spark makes of lines into a batch. A line of which Spark's code fails becomes a row in error.
  /// @param batch without selection; columns of the files are flat, or of no matter where all its rows are among
  /// `places`
  /// @param places the rows of the batch that stand for `lines`, ascending
  /// @throws Error Unsupported where the scan has no parser of Spark's
  columns::Batch put(columns::Batch batch, std::span<const types::StringRef> lines, std::span<const int32_t> places);

 private:
  /// Returns columns where the scan's stand, one row a line, and the errors.
  columns::Batch parse(std::span<const types::StringRef> lines);

  const ScanSpec& spec_;
  const execution::OperatorContext& ctx_;
  std::optional<expressions::Evaluator> evaluator_;
};

}  // namespace accelerant::io
