#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "io/line_block.h"
#include "io/scan.h"

#include <functional>
#include <memory>

namespace accelerant::io {

/// Makes rows of lines for one worker.
class LineParser {
 public:
  virtual ~LineParser() = default;
  /// Returns rows in the order of their lines; a line may make none. Columns stand where the scan's do, nullptr for
  /// those that are not in the files; all rows are selected, place is not set. A call that ends by a MemoryWait is made
  /// again with the same lines.
  /// @throws memory::MemoryWait
  virtual columns::Batch parse(const LineBlock& block) = 0;
};

/// Makes the parser of a worker; what it refers to outlives the parser.
using MakeLineParser =
    std::function<std::unique_ptr<LineParser>(const ScanSpec& spec, const execution::OperatorContext& ctx)>;

}  // namespace accelerant::io
