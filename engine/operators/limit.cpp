#include "operators/limit.h"

#include "operators/expression_error.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct LimitState final : State {
  std::shared_ptr<LimitSpill::Worker> spilling;
};

/// Returns the first selected rows of a batch; of the errors those before them, too, and perhaps later ones.
Batch first_rows(const Batch& in, int64_t num_rows) {
  if (num_rows == in.num_selected()) return in;
  if (!in.selection) {
    Batch first = columns::slice(in, 0, num_rows);
    first.errors = in.errors;
    return first;
  }
  Batch first = in;
  first.selection = std::make_shared<std::vector<int32_t>>(in.selection->begin(), in.selection->begin() + num_rows);
  return first;
}

}  // namespace

LimitSink::LimitSink(int64_t limit, int64_t offset, const execution::OperatorContext& ctx,
                     std::shared_ptr<spill::SpillTarget> target)
    : limit_(limit),
      offset_(offset),
      ctx_(ctx),
      target_(std::move(target)),
      spill_(std::make_shared<LimitSpill>(ctx, target_)),
      result_(std::make_shared<LimitedRows>()) {
  ctx.budget->add_reclaimer(spill_);
}

std::unique_ptr<State> LimitSink::make_state() {
  auto state = std::make_unique<LimitState>();
  state->spilling = spill_->add_worker();
  return state;
}

int64_t LimitSink::num_wanted(int64_t morsel, int64_t num_rows) {
  if (limit_ < 0) return num_rows;
  return std::clamp<int64_t>(limit_ + offset_ - waiting_[morsel].num_rows, 0, num_rows);
}

Step LimitSink::consume(State& state, Batch& in) {
  const int64_t num_rows = in.num_selected();
  int64_t wanted = 0;
  {
    const std::lock_guard lock(mutex_);
    if (satisfied()) return Step::finished();
    wanted = num_wanted(in.morsel, num_rows);
  }
  std::shared_ptr<const LimitRows> rows;
  // Where none of its rows is wanted none of its errors counts.
  if (wanted > 0 || (num_rows == 0 && !in.errors.empty())) {
    rows = spill_->take(*static_cast<LimitState&>(state).spilling, first_rows(in, wanted));
  }
  const std::lock_guard lock(mutex_);
  if (satisfied()) return Step::finished();
  Morsel& morsel = waiting_[in.morsel];
  morsel.ended = in.ends_morsel;
  morsel.num_rows += num_rows;
  if (rows) morsel.batches.push_back(std::move(rows));
  drain();
  return satisfied() ? Step::finished() : Step::needs_input();
}

void LimitSink::drain() {
  for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_morsel_; it = waiting_.begin()) {
    // A batch that `take` throws for stays: whoever comes next throws for it, too, and does not take later rows
    // instead.
    for (auto& batches = it->second.batches; !batches.empty(); batches.pop_front()) {
      take(batches.front());
      if (satisfied()) return waiting_.clear();
    }
    if (!it->second.ended) return;
    waiting_.erase(it);
    ++next_morsel_;
  }
}

void LimitSink::take(std::shared_ptr<const LimitRows> batch) {
  const int64_t num_rows = batch->num_rows;
  const int64_t skip = std::min(offset_ - skipped_rows_, num_rows);
  const int64_t wanted = limit_ < 0 ? num_rows : limit_ - kept_rows_;
  const int64_t keep = std::min(num_rows - skip, wanted);
  const int64_t last_row = skip + keep;
  const bool ends_here = keep == wanted && limit_ >= 0;
  // An error's row is the number of rows before it.
  if (!batch->errors.empty() && (!ends_here || batch->errors.front().row < last_row)) {
    Batch failing;
    failing.errors = batch->errors;
    raise_first_error(failing);
  }
  skipped_rows_ += skip;
  kept_rows_ += keep;
  if (keep > 0) result_->add({std::move(batch), skip, keep});
}

Step LimitSink::combine(State& state) {
  spill_->end(*static_cast<LimitState&>(state).spilling);
  return Step::finished();
}

Step LimitSink::finish() {
  must_complete_ = spill_->must_complete();
  if (!must_complete_) spill_->settle();
  return Step::finished();
}

Step LimitSink::run_finish_task(int64_t) {
  spill_->complete();
  spill_->settle();
  return Step::finished();
}

void LimitSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<LimitedStageRows>(result_, ctx_, target_->threads));
}

}  // namespace accelerant::operators
