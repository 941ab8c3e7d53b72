#include "operators/spilled_rows.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct SpilledRowsState final : State {
  std::optional<SpilledMerge> merge;  ///< of the worker that has the morsel
  int64_t num_left = 0;
  int64_t sequence = 0;
};

/// Emits the rows between two places of a sort as one morsel.
class SpilledRowsSource final : public Source {
 public:
  SpilledRowsSource(SpilledRuns runs, SpilledPosition begin, SpilledPosition end, std::shared_ptr<const KeyOrder> order,
                    const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
      : runs_(std::move(runs)),
        begin_(std::move(begin)),
        end_(std::move(end)),
        order_(std::move(order)),
        ctx_(ctx),
        target_(std::move(target)) {
    for (size_t run = 0; run < runs_.size(); ++run) num_rows_ += end_[run] - begin_[run];
    // Consumers may keep many batches: where memory is short blocks are small, and so are these.
    for (const SpilledRunPtr& run : runs_) batch_rows_ = std::max(batch_rows_, run->blocks().front().num_rows);
    batch_rows_ = std::min(batch_rows_, ctx_.batch_rows);
  }

  std::string_view name() const override { return "SpilledRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<SpilledRowsState>(); }
  int64_t num_morsels() const override { return num_rows_ > 0 ? 1 : 0; }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<SpilledRowsState&>(state);
    if (!worker.merge && !start(worker)) return Step::finished();
    out.morsel = 0;
    if (worker.num_left == 0) return Step::finished();
    Batch batch;
    execution::EventPtr event = worker.merge->next(std::min(batch_rows_, worker.num_left), batch, nullptr);
    if (event) return Step::suspended(std::move(event));
    worker.num_left -= batch.num_rows;
    batch.sequence = worker.sequence++;
    batch.ends_morsel = worker.num_left == 0;
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Takes the morsel; returns false where another worker has it.
  bool start(SpilledRowsState& worker) {
    if (num_rows_ == 0 || is_taken_.exchange(true)) return false;
    worker.merge.emplace(runs_, begin_, end_, order_, ctx_, *target_);
    worker.num_left = num_rows_;
    return true;
  }

  const SpilledRuns runs_;
  const SpilledPosition begin_;
  const SpilledPosition end_;
  const std::shared_ptr<const KeyOrder> order_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  int64_t num_rows_ = 0;
  int64_t batch_rows_ = 1;
  std::atomic<bool> is_taken_{false};
};

}  // namespace

SpilledPosition SpilledStageRows::part_begin(int index, int count) const {
  const std::pair part(index, count);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = part_begins_.find(part); found != part_begins_.end()) return found->second;
  }
  SpilledPosition begin = spilled_part_begin(runs_, index, count, *order_, ctx_, target_->threads);
  const std::lock_guard lock(mutex_);
  return part_begins_.emplace(part, std::move(begin)).first->second;
}

std::unique_ptr<Source> SpilledStageRows::make_source(int index, int count) const {
  return std::make_unique<SpilledRowsSource>(runs_, part_begin(index, count), part_begin(index + 1, count), order_,
                                             ctx_, target_);
}

}  // namespace accelerant::operators
