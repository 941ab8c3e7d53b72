#include "operators/repeated_rows.h"

#include <utility>

namespace accelerant::operators {

using columns::Batch;

void RepeatedRows::start(Batch& in) {
  Batch rows = columns::compact(evaluator_.project(in), budget_);
  num_rows_ = rows.errors.empty() ? rows.num_rows : rows.errors.front().row;
  rows_ = std::move(rows);
}

Step RepeatedRows::emit(Batch piece, bool is_last, std::optional<Batch>& out) {
  if (rows_->morsel != morsel_) next_sequence_ = 0;
  piece.morsel = morsel_ = rows_->morsel;
  piece.sequence = next_sequence_++;
  piece.morsels_before = rows_->morsels_before;
  out = std::move(piece);
  if (!is_last) return Step::has_output();
  if (!rows_->errors.empty()) {
    out->errors.push_back(std::move(rows_->errors.front()));
    out->errors.front().row = static_cast<int32_t>(out->num_rows);
  }
  out->ends_morsel = rows_->ends_morsel;
  rows_.reset();
  return Step::needs_input();
}

}  // namespace accelerant::operators
