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
  SpilledRowsSource(std::shared_ptr<const SpilledParts> parts, SpilledPosition begin, SpilledPosition end)
      : parts_(std::move(parts)),
        begin_(std::move(begin)),
        end_(std::move(end)),
        num_rows_(SpilledParts::count_rows(begin_, end_)),
        batch_rows_(parts_->batch_rows()) {}

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
    worker.merge.emplace(parts_->read(begin_, end_));
    worker.num_left = num_rows_;
    return true;
  }

  const std::shared_ptr<const SpilledParts> parts_;
  const SpilledPosition begin_;
  const SpilledPosition end_;
  const int64_t num_rows_;
  const int64_t batch_rows_;
  std::atomic<bool> is_taken_{false};
};

}  // namespace

SpilledPosition SpilledParts::begin(int index, int count) const {
  const std::pair part(index, count);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = begins_.find(part); found != begins_.end()) return found->second;
  }
  SpilledPosition begin = spilled_part_begin(runs_, index, count, *order_, num_keys_, ctx_, target_->threads);
  const std::lock_guard lock(mutex_);
  return begins_.emplace(part, std::move(begin)).first->second;
}

int64_t SpilledParts::count_rows(const SpilledPosition& begin, const SpilledPosition& end) {
  int64_t num_rows = 0;
  for (size_t run = 0; run < begin.size(); ++run) num_rows += end[run] - begin[run];
  return num_rows;
}

int64_t SpilledParts::batch_rows() const {
  int64_t rows = 1;
  for (const SpilledRunPtr& run : runs_) rows = std::max(rows, run->blocks().front().num_rows);
  return std::min(rows, ctx_.batch_rows);
}

SpilledMerge SpilledParts::read(const SpilledPosition& begin, const SpilledPosition& end) const {
  return SpilledMerge(runs_, begin, end, order_, ctx_, *target_);
}

std::unique_ptr<Source> SpilledStageRows::make_source(int index, int count) const {
  return std::make_unique<SpilledRowsSource>(parts_, parts_->begin(index, count), parts_->begin(index + 1, count));
}

}  // namespace accelerant::operators
