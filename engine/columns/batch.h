#pragma once

#include "columns/column.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::columns {

/// The rows of a batch that are alive, ascending; shared and immutable. nullptr stands for all rows.
using Selection = std::shared_ptr<const std::vector<int32_t>>;

/// An expression's error at one row: carried with the batch until the row reaches the pipeline's sink.
struct RowError {
  int32_t row;     ///< position in the batch
  uint8_t code;    ///< functions::ErrorCode bits
  int plan_node;   ///< index in the plan message of the node whose expression failed
  int expression;  ///< index in the plan message of the expression that failed
  /// The failing node's input columns, cut to the row (length 1), and the parameters it uses: what Spark needs to build
  /// its own message.
  std::shared_ptr<const std::vector<ColumnPtr>> input;
  /// For each of those columns the index in the plan message of an attribute that stands for it; -1 when it was not
  /// read. A parameter's is its number.
  std::vector<int> input_attributes = {};
  /// Spark's name for an error of the operator itself, such as a second match where there may be one; nullptr: `code`
  /// tells, and a string literal otherwise.
  const char* condition = nullptr;
  /// It is a row's that came to a join: whether Spark computes the value before it drops the row depends on its plan.
  bool below_join = false;
  /// The number under which an external function keeps what it failed with; 0: none.
  int32_t failure = 0;
};

/// Batch::morsels_before of rows whose order may be another one in another run.
inline constexpr int64_t kNoOrder = -1;

/// Rows travelling through a pipeline. A row is either selected, dropped, or in error; a row in error is not selected.
struct Batch {
  int64_t num_rows = 0;  ///< rows in the columns, before selection
  std::vector<ColumnPtr> columns;
  Selection selection;
  std::vector<RowError> errors;  ///< ascending by row
  /// Place among all batches of the pipeline: rows come in the order of (morsel, sequence).
  int64_t morsel = 0;
  int64_t sequence = 0;
  bool ends_morsel = false;  ///< the last batch of its morsel; may be empty
  /// How many morsels before this one are of the same partition of Spark's; what does not know takes each for one.
  /// Or kNoOrder.
  int64_t morsels_before = 0;

  bool has_order() const { return morsels_before != kNoOrder; }
  int64_t num_selected() const { return selection ? static_cast<int64_t>(selection->size()) : num_rows; }
};

/// Returns rows [offset, offset + length) of a batch without selection and errors, without copying.
Batch slice(const Batch& batch, int64_t offset, int64_t length);

/// Gathers the selected rows, so that the result has no selection. Errors keep their order, with rows renumbered to the
/// number of selected rows before them.
Batch compact(Batch batch, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::columns
