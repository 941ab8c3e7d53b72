#include "operators/sort.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/expression_error.h"
#include "operators/sort_keys.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

struct SortState final : State {
  std::vector<Batch> batches;
};

}  // namespace

SortSink::SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), result_(std::make_shared<BufferedRows>()) {}

std::unique_ptr<State> SortSink::make_state() { return std::make_unique<SortState>(); }

Step SortSink::consume(State& state, Batch& in) {
  raise_first_error(in);
  Batch batch = columns::compact(std::move(in), ctx_.budget);
  if (batch.num_rows == 0) return Step::needs_input();
  for (auto& column : batch.columns) column = columns::copy_compact(*column, ctx_.budget);
  static_cast<SortState&>(state).batches.push_back(std::move(batch));
  return Step::needs_input();
}

void SortSink::combine(State& state) {
  auto& batches = static_cast<SortState&>(state).batches;
  std::lock_guard lock(mutex_);
  std::move(batches.begin(), batches.end(), std::back_inserter(batches_));
}

void SortSink::finish() {
  if (batches_.empty()) return;
  std::sort(batches_.begin(), batches_.end(), [](const Batch& a, const Batch& b) {
    return std::tie(a.morsel, a.sequence) < std::tie(b.morsel, b.sequence);
  });
  int64_t num_rows = 0;
  for (const Batch& batch : batches_) num_rows += batch.num_rows;
  if (num_rows > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Resource, "Sort holds at most 2,147,483,647 rows").at_plan_node(ctx_.plan_node);
  }
  const std::vector<ColumnPtr> columns = concatenate_columns(batches_, ctx_);
  batches_.clear();
  memory::Reservation rows_reservation(ctx_.budget, num_rows * static_cast<int64_t>(sizeof(int32_t)) * 2);
  const SortKeys keys(columns, node_->keys, ctx_);
  const std::vector<int32_t> rows = keys.sorted_rows();
  for (int64_t row = 0; row < num_rows; row += ctx_.batch_rows) {
    const auto at = static_cast<size_t>(row);
    result_->continues_tie.push_back(row > 0 && keys.key(rows[at - 1]) == keys.key(rows[at]));
  }
  append_rows(*result_, columns, rows, ctx_);
}

std::unique_ptr<Source> SortSink::make_source(int index, int count) const {
  return std::make_unique<BufferedRowsSource>(result_, index, count);
}

}  // namespace accelerant::operators
