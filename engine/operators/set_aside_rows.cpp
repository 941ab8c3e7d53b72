#include "operators/set_aside_rows.h"

#include "columns/gather.h"
#include "operators/spill_sizes.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

namespace {

/// A worker writes what it has set aside when it takes so much, or a part of what memory is left.
constexpr int64_t kMostBytes = 4 << 20;
constexpr int64_t kLeastBytes = 64 << 10;
constexpr int64_t kPartOfMemory = 16;

size_t probe_side(const plan::Join& node) { return node.builds_left ? 1 : 0; }

}  // namespace

SetAsideRows::SetAsideRows(std::shared_ptr<const plan::Join> node, const std::shared_ptr<BuiltSide>& built,
                           const execution::OperatorContext& ctx)
    : columns_read_(node->columns_read_of(probe_side(*node))),
      written_(std::make_shared<SpilledJoinRows>(std::move(node), JoinSide::Probe)) {
  const auto& target = built->spilled()->target();
  const int64_t most_bytes = std::clamp(target->bytes_left() / kPartOfMemory, kLeastBytes, kMostBytes);
  spill_ = std::make_shared<JoinRowsSpill>(written_, most_bytes, ctx, target);
  ctx.budget->add_reclaimer(spill_);
}

std::shared_ptr<SetAsideRows::Worker> SetAsideRows::borrow() {
  const std::lock_guard lock(mutex_);
  if (given_back_.empty()) return spill_->add_worker();
  auto worker = std::move(given_back_.back());
  given_back_.pop_back();
  return worker;
}

void SetAsideRows::give_back(std::shared_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  given_back_.push_back(std::move(worker));
}

void SetAsideRows::take(Worker& worker, const columns::Batch& batch, std::span<const int32_t> rows,
                        std::span<const uint64_t> hashes) {
  const auto num_rows = static_cast<int64_t>(rows.size());
  const int64_t of_row = static_cast<int64_t>(batch.columns.size()) * kUsualBytesOfValue + int64_t{sizeof(uint64_t)};
  spill_->take(worker, num_rows * of_row, [&](const auto& budget) {
    HashedRows held;
    held.rows.num_rows = num_rows;
    held.hashes.emplace(budget);
    held.hashes->append(hashes);
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      const columns::ColumnPtr& column = batch.columns[i];
      columns::ColumnPtr own = columns_read_[i] ? columns::gather(*column, rows, budget)
                                                : columns::Column::nulls(column->type(), num_rows, budget);
      if (columns_read_[i] && !own->owns_its_bytes_only()) own = columns::copy_compact(*own, budget);
      held.rows.columns.push_back(std::move(own));
    }
    return held;
  });
}

execution::EventPtr SetAsideRows::complete() {
  {
    const std::lock_guard lock(mutex_);
    if (is_complete_ || completing_) return completing_;
    completing_ = std::make_shared<execution::Event>();
  }
  try {
    spill_->write_all();
  } catch (...) {
    end_completing(false);
    throw;
  }
  end_completing(true);
  return nullptr;
}

void SetAsideRows::end_completing(bool is_complete) {
  execution::EventPtr others;
  {
    const std::lock_guard lock(mutex_);
    is_complete_ = is_complete;
    others = std::exchange(completing_, nullptr);
  }
  others->fire();
}

}  // namespace accelerant::operators
