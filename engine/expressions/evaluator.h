#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/program.h"
#include "memory/budget.h"

#include <memory>
#include <vector>

namespace accelerant::expressions {

/// Runs a program over batches. One per worker: it holds scratch memory and the states of external functions.
///
/// Errors are values: they spread like null and are dropped by an untaken branch, a false left side of AND, a null left
/// operand, or a row that is not selected. What is left is added to the batch's errors, and the row leaves the
/// selection.
class Evaluator {
 public:
  /// @param plan_node index in the plan message of the node the program belongs to; errors carry it
  /// @param parameters values for all of the program's parameters
  Evaluator(std::shared_ptr<const Program> program, std::shared_ptr<memory::Budget> budget, int plan_node,
            std::shared_ptr<const execution::Parameters> parameters = nullptr);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  /// Returns a batch whose columns are the program's outputs. Rows are those selected in `in`; the result may still
  /// carry a selection (values of other rows are then meaningless). Order, errors and place are kept.
  columns::Batch project(const columns::Batch& in);

  /// Returns `in` with only the rows selected for which every output (a boolean) is true. Outputs are computed one
  /// after the other, each only as far as needed for the rows that are left.
  columns::Batch filter(columns::Batch in);

 private:
  struct Impl;
  class Use;
  std::unique_ptr<Impl> impl_;
};

}  // namespace accelerant::expressions
