#include "operators/top_k.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/expression_error.h"
#include "operators/sort_keys.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

/// Few, as rows that come in descending order pass unseen only once the threshold has followed them.
constexpr int64_t kCollectedRows = 1024;

/// Orders places of rows by key, morsel and place.
class RowOrder {
 public:
  RowOrder(const KeyOrder& keys, const std::vector<ColumnPtr>& columns, std::span<const int64_t> morsels)
      : keys_(keys), columns_(columns), morsels_(morsels) {}

  bool operator()(int32_t a, int32_t b) const {
    const int keys = keys_.compare(columns_, a, columns_, b);
    if (keys != 0) return keys < 0;
    return std::tie(morsels_[static_cast<size_t>(a)], a) < std::tie(morsels_[static_cast<size_t>(b)], b);
  }

 private:
  const KeyOrder& keys_;
  const std::vector<ColumnPtr>& columns_;
  const std::span<const int64_t> morsels_;
};

}  // namespace

struct TopKSink::WorkerState final : State {
  explicit WorkerState(const std::shared_ptr<memory::Budget>& budget) : rows(budget) {}

  Rows rows;
  bool is_added = false;  ///< the batch at hand is among the rows
};

TopKSink::TopKSink(std::shared_ptr<const plan::TopK> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)),
      ctx_(ctx),
      order_(node_->keys),
      k_(node_->limit + node_->offset),
      max_collected_rows_(k_ + std::max(k_, std::min(ctx.batch_rows, kCollectedRows))),
      result_(std::make_shared<BufferedRows>()),
      threshold_(node_->keys),
      rows_(ctx.budget) {
  ACC_CHECK(k_ > 0);
}

std::unique_ptr<State> TopKSink::make_state() { return std::make_unique<WorkerState>(ctx_.budget); }

Step TopKSink::consume(State& state, Batch& in) {
  auto& worker = static_cast<WorkerState&>(state);
  if (!worker.is_added) add(worker.rows, in);
  worker.is_added = true;
  shrink(worker.rows, threshold_.is_known() ? max_collected_rows_ : k_);
  worker.is_added = false;
  return Step::needs_input();
}

void TopKSink::add(Rows& rows, Batch& in) const {
  raise_first_error_of_sort(in, *node_);
  threshold_.drop_later_rows(in, ctx_.budget);
  Batch batch = columns::compact(in, ctx_.budget);
  if (batch.num_rows == 0) return;
  for (auto& column : batch.columns) column = columns::copy_compact(*column, ctx_.budget);
  rows.morsels.append(batch.num_rows, batch.morsel);
  rows.batches.push_back(std::move(batch));
}

void TopKSink::shrink(Rows& rows, int64_t max_rows) {
  if (rows.size() <= max_rows) return;
  const std::vector<ColumnPtr> columns = concatenate_columns(rows.batches, ctx_);
  std::vector<int32_t> first = all_rows(rows.size());
  std::nth_element(first.begin(), first.begin() + k_, first.end(), RowOrder(order_, columns, rows.morsels.span()));
  first.resize(static_cast<size_t>(k_));
  std::sort(first.begin(), first.end());
  Rows kept(ctx_.budget);
  Batch& batch = kept.batches.emplace_back();
  batch.num_rows = k_;
  for (const ColumnPtr& column : columns) {
    batch.columns.push_back(columns::copy_compact(*columns::gather(*column, first, ctx_.budget), ctx_.budget));
  }
  threshold_.note(batch.columns, ctx_.budget);
  kept.morsels.reserve(k_);
  for (const int32_t row : first) kept.morsels.push_back(rows.morsels[row]);
  rows = std::move(kept);
}

Step TopKSink::combine(State& state) {
  Rows& rows = static_cast<WorkerState&>(state).rows;
  shrink(rows, k_);
  std::lock_guard lock(mutex_);
  rows_.morsels.append(rows.morsels.span());
  std::ranges::move(rows.batches, std::back_inserter(rows_.batches));
  rows = Rows(ctx_.budget);
  shrink(rows_, max_collected_rows_);
  return Step::finished();
}

Step TopKSink::finish() {
  if (rows_.size() <= node_->offset) return Step::finished();
  const std::vector<ColumnPtr> columns = concatenate_columns(rows_.batches, ctx_);
  std::vector<int32_t> sorted = all_rows(rows_.size());
  const auto num_first = std::min(sorted.size(), static_cast<size_t>(k_));
  std::partial_sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(num_first), sorted.end(),
                    RowOrder(order_, columns, rows_.morsels.span()));
  const auto wanted = std::span(sorted).first(num_first).subspan(static_cast<size_t>(node_->offset));
  BufferedRows result;
  append_rows(result, columns, wanted, ctx_);
  *result_ = std::move(result);
  rows_ = Rows(ctx_.budget);
  return Step::finished();
}

void TopKSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<BufferedStageRows>(result_));
}

}  // namespace accelerant::operators
