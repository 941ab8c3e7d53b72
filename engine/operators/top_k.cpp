#include "operators/top_k.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/expression_error.h"
#include "operators/sort_keys.h"

#include <algorithm>
#include <iterator>
#include <numeric>
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
  RowOrder(const KeyOrder& keys, const std::vector<ColumnPtr>& columns, const std::vector<int64_t>& morsels)
      : keys_(keys), columns_(columns), morsels_(morsels) {}

  bool operator()(int32_t a, int32_t b) const {
    const int keys = keys_.compare(columns_, a, columns_, b);
    if (keys != 0) return keys < 0;
    return std::tie(morsels_[static_cast<size_t>(a)], a) < std::tie(morsels_[static_cast<size_t>(b)], b);
  }

 private:
  const KeyOrder& keys_;
  const std::vector<ColumnPtr>& columns_;
  const std::vector<int64_t>& morsels_;
};

std::vector<int32_t> all_rows(int64_t num_rows) {
  std::vector<int32_t> rows(static_cast<size_t>(num_rows));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

struct TopKSink::WorkerState final : State {
  Rows rows;
};

TopKSink::TopKSink(std::shared_ptr<const plan::TopK> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)),
      ctx_(ctx),
      order_(node_->keys),
      k_(node_->limit + node_->offset),
      max_collected_rows_(k_ + std::max(k_, std::min(ctx.batch_rows, kCollectedRows))),
      result_(std::make_shared<BufferedRows>()),
      threshold_(node_->keys) {
  ACC_CHECK(k_ > 0);
}

std::unique_ptr<State> TopKSink::make_state() { return std::make_unique<WorkerState>(); }

Step TopKSink::consume(State& state, Batch& in) {
  raise_first_error(in);
  threshold_.drop_later_rows(in, ctx_.budget);
  Batch batch = columns::compact(std::move(in), ctx_.budget);
  if (batch.num_rows == 0) return Step::needs_input();
  for (auto& column : batch.columns) column = columns::copy_compact(*column, ctx_.budget);
  Rows& rows = static_cast<WorkerState&>(state).rows;
  rows.morsels.insert(rows.morsels.end(), static_cast<size_t>(batch.num_rows), batch.morsel);
  rows.batches.push_back(std::move(batch));
  shrink(rows, threshold_.is_known() ? max_collected_rows_ : k_);
  return Step::needs_input();
}

void TopKSink::shrink(Rows& rows, int64_t max_rows) {
  if (rows.size() > max_rows) {
    // Where memory runs out on the way, other workers find no rows here, not half of their columns.
    Rows all = std::exchange(rows, {});
    const std::vector<ColumnPtr> columns = concatenate_columns(std::exchange(all.batches, {}), ctx_);
    std::vector<int32_t> kept = all_rows(all.size());
    std::nth_element(kept.begin(), kept.begin() + k_, kept.end(), RowOrder(order_, columns, all.morsels));
    kept.resize(static_cast<size_t>(k_));
    std::sort(kept.begin(), kept.end());
    Batch batch;
    batch.num_rows = k_;
    for (const ColumnPtr& column : columns) {
      batch.columns.push_back(columns::copy_compact(*columns::gather(*column, kept, ctx_.budget), ctx_.budget));
    }
    threshold_.note(batch.columns, ctx_.budget);
    rows.batches.push_back(std::move(batch));
    for (const int32_t row : kept) rows.morsels.push_back(all.morsels[static_cast<size_t>(row)]);
  }
  rows.morsel_bytes = memory::Reservation(ctx_.budget, static_cast<int64_t>(rows.morsels.capacity() * sizeof(int64_t)));
}

void TopKSink::combine(State& state) {
  Rows& rows = static_cast<WorkerState&>(state).rows;
  shrink(rows, k_);
  std::lock_guard lock(mutex_);
  std::move(rows.batches.begin(), rows.batches.end(), std::back_inserter(rows_.batches));
  rows_.morsels.insert(rows_.morsels.end(), rows.morsels.begin(), rows.morsels.end());
  shrink(rows_, max_collected_rows_);
}

void TopKSink::finish() {
  if (rows_.size() <= node_->offset) return;
  const std::vector<ColumnPtr> columns = concatenate_columns(std::exchange(rows_.batches, {}), ctx_);
  std::vector<int32_t> sorted = all_rows(rows_.size());
  const auto num_first = std::min(sorted.size(), static_cast<size_t>(k_));
  std::partial_sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(num_first), sorted.end(),
                    RowOrder(order_, columns, rows_.morsels));
  const auto wanted = std::span(sorted).first(num_first).subspan(static_cast<size_t>(node_->offset));
  append_rows(*result_, columns, wanted, ctx_);
}

void TopKSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<BufferedStageRows>(result_));
}

}  // namespace accelerant::operators
