#pragma once

#include "execution/context.h"
#include "expressions/evaluator.h"
#include "operators/operator.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace accelerant::operators {

/// A worker's rows on their way through a transform that emits each of them any number of times, piece by piece.
class RepeatedRows : public State {
 public:
  RepeatedRows(std::shared_ptr<const expressions::Program> program, const execution::OperatorContext& ctx)
      : evaluator_(std::move(program), ctx.budget, ctx.plan_node, ctx.parameters), budget_(ctx.budget) {}

  /// Says whether rows are on their way.
  bool has_rows() const { return rows_.has_value(); }
  /// Computes the program over a batch.
  void start(columns::Batch& in);
  /// Returns what the program computes, without a selection.
  const columns::Batch& rows() const { return *rows_; }
  /// Returns how many of them come before the first error: what follows one never counts.
  int64_t num_rows() const { return num_rows_; }
  /// Hands on a piece in the place of the rows that it is made of; with the last one the error that follows.
  Step emit(columns::Batch piece, bool is_last, std::optional<columns::Batch>& out);

 private:
  expressions::Evaluator evaluator_;
  const std::shared_ptr<memory::Budget> budget_;
  std::optional<columns::Batch> rows_;
  int64_t num_rows_ = 0;
  int64_t morsel_ = -1;
  int64_t next_sequence_ = 0;
};

}  // namespace accelerant::operators
