#pragma once

#include "base/error.h"
#include "columns/batch.h"
#include "plan/node.h"

#include <memory>
#include <string>
#include <vector>

namespace accelerant::operators {

/// The error of an expression, or of an operator, at a row that counts. Carries the failing node's input row, from
/// which Spark builds its own message.
class ExpressionError : public Error {
 public:
  explicit ExpressionError(const columns::RowError& row_error);
  /// @param message instead of what the row's error is called
  ExpressionError(const columns::RowError& row_error, ErrorKind kind, std::string message);

  /// The failing plan node's input columns and parameters, each of length 1; nullptr when the error belongs to no
  /// single row.
  const std::shared_ptr<const std::vector<columns::ColumnPtr>>& input_row() const { return input_row_; }
  /// For each of those columns the index in the plan message of an attribute that stands for it, or of the subquery's
  /// plan whose value it is, or -1.
  const std::vector<int>& input_attributes() const { return input_attributes_; }
  /// The number under which an external function keeps what it failed with; 0: none.
  int failure() const { return failure_; }

 private:
  std::shared_ptr<const std::vector<columns::ColumnPtr>> input_row_;
  std::vector<int> input_attributes_;
  int failure_;
};

/// Throws the batch's first error, if it has one: for Spark to tell whether it counts where the row came to a join.
void raise_first_error(const columns::Batch& batch);
/// Likewise of rows that a node sorts. Which keys of which rows Spark computes depends on its plan, so that it has to
/// tell whether a key's error counts.
void raise_first_error_of_sort(const columns::Batch& batch, const plan::Node& node);
/// Notes that rows of a batch came to a join; an operator's own errors count in any case.
void mark_below_join(columns::Batch& batch);

}  // namespace accelerant::operators
