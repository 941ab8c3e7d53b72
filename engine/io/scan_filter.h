#pragma once

#include "execution/context.h"
#include "expressions/evaluator.h"
#include "io/scan.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace accelerant::io {

/// A conjunct of the scan's filter with the state to run it.
struct ScanFilter {
  std::shared_ptr<const expressions::Program> program;
  expressions::Evaluator evaluator;
};

/// Makes the filters of a scan in the order in which they are best run: of those before the first that can fail, the
/// ones that need few and narrow columns come before others; the rest keeps its order.
std::vector<ScanFilter> make_filters(const ScanSpec& spec, const execution::OperatorContext& ctx);

/// Says whether a program has a column of the scan among its inputs.
bool needs_column(const expressions::Program& program, size_t column);

}  // namespace accelerant::io
