#include "operators/spilled_group_rows.h"

#include "base/error.h"
#include "memory/memory_wait.h"
#include "operators/spill_sizes.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Of so few keys the groups that do not fit into a share may take more: blocks, of a slice or some, are read for each
/// range.
constexpr int64_t kLeastWidth = KeyRange::kOfSlice / 16;

struct SpilledGroupsState final : State {
  int partition = -1;   ///< the one being read
  KeyRange left{0, 0};  ///< of its keys, what was not read yet
  std::unique_ptr<SpilledGroupsReader> reading;
  std::optional<GroupSet> set;  ///< what was read last
  int64_t next_group = 0;       ///< of the set
  int64_t width = 0;            ///< of the ranges that are read
  int64_t limit = 0;            ///< of what a set may take
  int64_t sequence = 0;

  int64_t num_groups_left() const { return set ? set->num_groups() - next_group : 0; }
};

/// Emits the groups of partitions [first, last).
class SpilledGroupsSource final : public Source {
 public:
  SpilledGroupsSource(std::shared_ptr<const SpilledGroups> groups, std::shared_ptr<const GroupedStates> states,
                      int first, int last, int64_t share, const execution::OperatorContext& ctx,
                      std::shared_ptr<spill::SpillTarget> target)
      : groups_(std::move(groups)),
        states_(std::move(states)),
        first_(first),
        last_(last),
        share_(std::max(share, groups_->least_bytes() + kLeastShare)),
        ctx_(ctx),
        target_(std::move(target)) {}

  std::string_view name() const override { return "SpilledGroups"; }
  std::unique_ptr<State> make_state() override {
    auto state = std::make_unique<SpilledGroupsState>();
    state->width = KeyRange::kOfPartition;
    state->limit = share_;
    // Tables and states grow by copies.
    int64_t bytes = groups_->memory_bytes() / GroupSlices::kPartitions * 2;
    for (; bytes > share_ && state->width > kLeastWidth; bytes /= 2) state->width /= 2;
    return state;
  }
  int64_t num_morsels() const override { return last_ - first_; }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<SpilledGroupsState&>(state);
    if (worker.partition < 0) {
      worker.partition = first_ + taken_.fetch_add(1, std::memory_order_relaxed);
      worker.left = {worker.partition * KeyRange::kOfPartition, (worker.partition + 1) * KeyRange::kOfPartition};
      worker.sequence = 0;
    }
    out.morsel = worker.partition - first_;
    if (worker.partition >= last_) return Step::finished();
    while (worker.num_groups_left() == 0 && worker.left.begin < worker.left.end) {
      if (execution::EventPtr block = read(worker)) return Step::suspended(std::move(block));
    }
    Batch batch = next_groups(worker);
    batch.morsel = out.morsel;
    batch.sequence = worker.sequence++;
    batch.morsels_before = columns::kNoOrder;
    batch.ends_morsel = worker.num_groups_left() == 0 && worker.left.begin == worker.left.end;
    if (batch.ends_morsel) {
      let_go(worker);
      worker.partition = -1;
    }
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Returns the next groups of the set: fewer than a batch has where memory is too short for them, none where it has
  /// none.
  Batch next_groups(SpilledGroupsState& worker) const {
    for (int64_t length = std::min(worker.num_groups_left(), ctx_.batch_rows);; length /= 2) {
      try {
        std::optional<memory::WithoutWaiting> at_once;
        if (length > 1) at_once.emplace();
        Batch batch = read_groups(*worker.set, worker.next_group, length, states_->encoder());
        worker.next_group += length;
        return batch;
      } catch (const Error& error) {
        if (error.error_class() != memory::kOutOfBudget || length <= 1) throw;
      }
    }
  }

  /// Reads the groups of the next keys: of fewer where a worker's share of memory is too little for all of them. Beyond
  /// its share it goes for the groups of few keys. Returns what to wait for before it is called again; nullptr: they
  /// are read.
  execution::EventPtr read(SpilledGroupsState& worker) const {
    while (true) {
      try {
        std::optional<memory::WithoutWaiting> at_once;
        if (may_do_with_less(worker)) at_once.emplace();
        if (!worker.reading) start_to_read(worker);
        if (execution::EventPtr block = worker.reading->read()) return block;
        worker.set.emplace(worker.reading->take());
      } catch (const Error& error) {
        let_go(worker);
        if (error.error_class() != memory::kOutOfBudget || !wants_less(worker)) throw;
        continue;
      } catch (const memory::MemoryWait&) {
        let_go(worker);
        throw;
      }
      // Keys that stand in many blocks take less than these.
      const bool took_little = worker.reading->peak_bytes() < share_ / 4;
      if (took_little) worker.width = std::min(2 * worker.width, KeyRange::kOfPartition);
      worker.left.begin = worker.reading->keys().end;
      worker.reading.reset();
      return nullptr;
    }
  }

  static void let_go(SpilledGroupsState& worker) {
    worker.reading.reset();
    worker.set.reset();
    worker.next_group = 0;
  }

  void start_to_read(SpilledGroupsState& worker) const {
    let_go(worker);
    const KeyRange keys{worker.left.begin, std::min(worker.left.end, worker.left.begin + worker.width)};
    execution::OperatorContext ctx = ctx_;
    ctx.budget = std::make_shared<memory::Budget>(ctx_.budget->name(), worker.limit, ctx_.budget);
    worker.reading = std::make_unique<SpilledGroupsReader>(*groups_, worker.partition, keys,
                                                           states_->wants_small_sets(), ctx, target_->threads);
  }

  /// Says whether a worker does with fewer keys, or goes beyond its share, before it waits for memory.
  bool may_do_with_less(const SpilledGroupsState& worker) const {
    return worker.limit <= share_ || worker.width > kLeastWidth;
  }

  /// Has it do with less; false: it can't. Who was refused after it waited tries ever fewer keys.
  bool wants_less(SpilledGroupsState& worker) const {
    if (worker.limit == share_ && worker.width <= kLeastWidth) {
      worker.limit = memory::Budget::kUnlimited;
    } else if (worker.width > 1) {
      worker.width /= 2;
    } else {
      return false;
    }
    return true;
  }

  const std::shared_ptr<const SpilledGroups> groups_;
  const std::shared_ptr<const GroupedStates> states_;
  const int first_;
  const int last_;
  const int64_t share_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  std::atomic<int> taken_{0};
};

}  // namespace

std::unique_ptr<Source> SpilledGroupRows::make_source(int index, int count) const {
  const auto partition_of = [count](int part) { return GroupSlices::kPartitions * part / count; };
  // Half of what is left is for who is above. Parts are read side by side.
  const int64_t share = target_->bytes_left() / 2 / std::max<int64_t>(num_workers_, 1) / count;
  return std::make_unique<SpilledGroupsSource>(groups_, states_, partition_of(index), partition_of(index + 1), share,
                                               ctx_, target_);
}

}  // namespace accelerant::operators
