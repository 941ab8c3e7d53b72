#include "operators/spilled_rows.h"

#include "execution/gate.h"
#include "operators/sorted_stretches.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Batches of a morsel at most: enough rows to make up for finding out where they end.
constexpr int64_t kBatchesOfMorsel = 8;

/// Rows of a part, which workers take morsel by morsel: who has passed the gate.
struct SpilledPart {
  SpilledPart(std::shared_ptr<const SpilledParts> of, const SpilledPosition& begin, const SpilledPosition& end)
      : parts(std::move(of)), num_rows(SpilledParts::count_rows(begin, end)), merge(parts->read(begin, end)) {}

  const std::shared_ptr<const SpilledParts> parts;
  const int64_t num_rows;
  execution::Gate gate = {};
  SpilledMerge merge;
  int64_t next_morsel = 0;
};

/// The morsel that a worker takes, and merges.
struct SpilledRowsState final : State {
  explicit SpilledRowsState(std::shared_ptr<SpilledPart> of) : part(std::move(of)), turn(part->gate) {}

  const std::shared_ptr<SpilledPart> part;
  execution::Gate::Pass turn;  ///< until it has all rows of its morsel; where memory is short, until they are emitted
  int64_t morsel = -1;
  int64_t num_untaken = 0;               ///< rows of the morsel that it has not taken yet
  int64_t num_left = 0;                  ///< rows of the morsel that it has not emitted
  std::deque<SpilledStretch> stretches;  ///< of rows that it has taken
  OrderedRows rows;                      ///< of the next batch
  int64_t sequence = 0;
};

/// Emits the rows between two places of a sort.
class SpilledRowsSource final : public Source {
 public:
  explicit SpilledRowsSource(std::shared_ptr<SpilledPart> part)
      : ctx_(part->parts->context()),
        batch_rows_(part->parts->batch_rows()),
        part_(std::move(part)),
        stretches_(part_->num_rows, 0, part_->num_rows, batch_rows_, kBatchesOfMorsel) {}

  std::string_view name() const override { return "SpilledRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<SpilledRowsState>(part_); }
  int64_t num_morsels() const override { return stretches_.num_morsels(); }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<SpilledRowsState&>(state);
    out.morsel = worker.morsel;
    if (worker.num_left == 0) {
      if (execution::EventPtr others = worker.turn.enter_alone()) return Step::suspended(std::move(others));
      out.morsel = worker.morsel = part_->next_morsel;
      if (worker.morsel >= num_morsels()) {
        worker.turn.leave();
        return Step::finished();
      }
      ++part_->next_morsel;
      worker.num_left = stretches_.first_row(worker.morsel + 1) - stretches_.first_row(worker.morsel);
      worker.num_untaken = worker.num_left;
      worker.sequence = 0;
    }
    if (execution::EventPtr event = take_rows(worker)) return Step::suspended(std::move(event));
    Batch batch = merge(worker);
    worker.num_left -= batch.num_rows;
    if (worker.num_left == 0) worker.turn.leave();
    batch.morsel = batch.morsels_before = worker.morsel;
    batch.sequence = worker.sequence++;
    batch.ends_morsel = worker.num_left == 0;
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Takes the rest of a worker's morsel and ends its turn. Where memory is short the worker keeps its turn, and takes
  /// a stretch at a time, so that no more blocks are held than one worker has to. Returns what to wait for before it is
  /// asked again, or nullptr.
  execution::EventPtr take_rows(SpilledRowsState& worker) {
    while (worker.num_untaken > 0) {
      if (!worker.stretches.empty() && !part_->merge.has_room()) return nullptr;
      SpilledStretch stretch;
      if (execution::EventPtr event = part_->merge.next_stretch(worker.num_untaken, stretch)) return event;
      worker.num_untaken -= stretch.num_rows();
      worker.stretches.push_back(std::move(stretch));
    }
    if (part_->merge.has_room()) worker.turn.leave();
    return nullptr;
  }

  Batch merge(SpilledRowsState& worker) const {
    for (; !worker.stretches.empty(); worker.stretches.pop_front()) {
      worker.stretches.front().take(batch_rows_, worker.rows, *ctx_.cancellation);
      if (worker.rows.num_rows() >= batch_rows_) break;
    }
    return worker.rows.emit(ctx_.budget, nullptr);
  }

  const execution::OperatorContext ctx_;
  const int64_t batch_rows_;
  const std::shared_ptr<SpilledPart> part_;
  const SortedStretches stretches_;
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
  return std::make_unique<SpilledRowsSource>(
      std::make_shared<SpilledPart>(parts_, parts_->begin(index, count), parts_->begin(index + 1, count)));
}

}  // namespace accelerant::operators
