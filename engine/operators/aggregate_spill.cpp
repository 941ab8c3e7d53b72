#include "operators/aggregate_spill.h"

#include "base/error.h"
#include "operators/spill_sizes.h"
#include "operators/spilled_group_rows.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

namespace {

/// A block's groups, their columns, the block and one on its way with room to compress it, with what grows twice.
constexpr int64_t kCopiesOfGroupBlock = 8;
/// How much memory is asked of others at a time at least.
constexpr int64_t kLeastGroupStep = 64 << 10;
/// What of it is kept unused at most, beside half of what is in use.
constexpr int64_t kMostUnusedBytes = 1 << 20;

}  // namespace

AggregateSpill::AggregateSpill(std::shared_ptr<const plan::Aggregate> node, std::shared_ptr<GroupedStates> result,
                               const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
    : WorkerSpill(ctx, std::move(target), Needs::Much),
      node_(std::move(node)),
      result_(std::move(result)),
      spilled_(std::make_shared<SpilledGroups>(node_)),
      key_bytes_(result_->encoder().key_bytes()),
      least_bytes_(least_bytes_of(*node_)),
      holds_rows_(holds_rows(*node_)) {}

std::shared_ptr<AggregateSpill::Worker> AggregateSpill::add_worker(bool counts) {
  auto worker = std::make_shared<Worker>(ctx_.budget);
  enlist(worker, counts);
  return worker;
}

execution::OperatorContext AggregateSpill::context_of(const Worker& worker) const {
  return WorkerSpill::context_of(*worker.memory(), *ctx_.cancellation);
}

int64_t AggregateSpill::bytes_to_write(int64_t used_bytes, int64_t num_groups) const {
  // Of groups by slices, and of those of a block that pairs of values are listed for.
  const int64_t numbers = num_groups * 2 * static_cast<int64_t>(sizeof(int32_t));
  // Of states that hold rows, one may have most of them.
  const int64_t largest = holds_rows_ ? used_bytes : 0;
  return kCopiesOfGroupBlock * std::min(spilled_block_bytes(used_bytes), used_bytes) + numbers + largest + least_bytes_;
}

void AggregateSpill::with_groups(Worker& worker, const std::function<void(GroupSet& groups, int64_t set)>& work) {
  const WorkerLease lease(worker);
  const int64_t step = std::max(kLeastGroupStep, worker.memory()->held_bytes() / kStepPart);
  if (can_spill_ && worker.is_empty()) grow(worker, *worker.writing_, bytes_to_write(0, 0));
  with_memory(worker, step, [&] {
    if (!worker.groups_) {
      auto groups = std::make_unique<GroupSet>(*node_, key_bytes_, context_of(worker));
      // The one before was full.
      if (!worker.arranged_.empty()) groups->table.reserve(GroupedStates::kMaxOwnGroups);
      if (has_spilled_ || !worker.arranged_.empty()) groups->forget_order();
      worker.groups_ = std::move(groups);
      ++worker.num_sets_;
    }
    work(*worker.groups_, worker.num_sets_);
  });
}

void AggregateSpill::settle(Worker& worker) {
  const WorkerLease lease(worker);
  if (worker.is_empty()) return;
  const int64_t num_groups = worker.num_arranged_ + (worker.groups_ ? worker.groups_->num_groups() : 0);
  const int64_t wanted = bytes_to_write(worker.memory()->used_bytes(), num_groups);
  if (can_spill_ && wanted > worker.writing_->held_bytes() && !worker.writing_->try_grow(wanted + wanted / kStepPart)) {
    ask_larger_workers(worker);
    spill(worker, *ctx_.cancellation);
  } else if (worker.groups_ && worker.groups_->table.num_groups() > GroupedStates::kMaxOwnGroups &&
             result_->wants_small_sets()) {
    arrange(worker);
  }
  spill_if_wanted(worker);
  // Tables that grew have let go of those before.
  memory::PrepaidMemory& memory = *worker.memory();
  const int64_t unused_bytes = memory.held_bytes() - memory.used_bytes();
  if (unused_bytes > kMostUnusedBytes + memory.used_bytes() / 2) memory.shrink(kMostUnusedBytes / 2);
}

void AggregateSpill::arrange(Worker& worker) {
  with_memory(worker, std::max(kLeastGroupStep, worker.memory()->held_bytes() / kStepPart), [&] {
    if (!worker.groups_) return;
    worker.arranged_.push_back(result_->arrange(*worker.groups_, context_of(worker)));
    worker.num_arranged_ += worker.groups_->num_groups();
    worker.groups_.reset();
  });
}

void AggregateSpill::end(Worker& worker) {
  const WorkerLease lease(worker);
  if (!worker.is_empty() && must_spill(worker)) spill(worker, *ctx_.cancellation);
  if (!worker.is_empty()) arrange(worker);
  worker.groups_.reset();
  worker.memory()->shrink();
  if (worker.is_empty()) return worker.writing_->shrink();
  auto ended = std::make_shared<Ended>();
  ended->arranged = std::exchange(worker.arranged_, {});
  ended->num_groups = std::exchange(worker.num_arranged_, 0);
  ended->memory = worker.memory();
  ended->writing = std::move(worker.writing_);
  const std::lock_guard lock(mutex_);
  ended_.push_back(std::move(ended));
}

void AggregateSpill::leave(Worker& worker) {
  WorkerSpill::leave(worker);
  worker.groups_.reset();
  worker.arranged_.clear();
  worker.memory()->shrink();
  if (worker.writing_) worker.writing_->shrink();
}

void AggregateSpill::write(SpillingWorker& spilling, const execution::Cancellation& cancellation) {
  auto& worker = static_cast<Worker&>(spilling);
  std::vector<const GroupSet*> sets;
  for (const ArrangedGroups& arranged : worker.arranged_) arranged.add_sets(sets);
  int64_t num_groups = worker.num_arranged_;
  if (worker.groups_) {
    sets.push_back(worker.groups_.get());
    num_groups += worker.groups_->num_groups();
  }
  write(sets, num_groups, worker.memory()->used_bytes(), *worker.writing_, cancellation);
  worker.groups_.reset();
  worker.arranged_.clear();
  worker.num_arranged_ = 0;
  worker.writing_->shrink(bytes_to_write(0, 0));
}

void AggregateSpill::write(Ended& ended, const execution::Cancellation& cancellation) {
  const std::lock_guard writing(ended.mutex);
  if (ended.arranged.empty()) return;
  std::vector<const GroupSet*> sets;
  for (const ArrangedGroups& arranged : ended.arranged) arranged.add_sets(sets);
  target_->folders.check(target_->owner);
  write(sets, ended.num_groups, ended.memory->used_bytes(), *ended.writing, cancellation);
  has_spilled_ = true;
  // Its worker may live on.
  ended.arranged.clear();
  ended.memory->shrink();
  ended.writing->shrink();
}

std::vector<std::shared_ptr<AggregateSpill::Ended>> AggregateSpill::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void AggregateSpill::reclaim() noexcept {
  if (is_too_small_) return;
  WorkerSpill::reclaim();
  for (const auto& one : ended()) {
    try {
      write(*one, never_);
    } catch (...) {
      // It is written when all have ended, or stays in memory.
    }
  }
}

void AggregateSpill::write(std::span<const GroupSet* const> sets, int64_t num_groups, int64_t used_bytes,
                           memory::PrepaidMemory& writing, const execution::Cancellation& cancellation) {
  const execution::OperatorContext ctx = WorkerSpill::context_of(writing, cancellation);
  write_in_blocks(num_groups, used_bytes, writing,
                  [&](int64_t block_groups) { spilled_->write(sets, *target_, ctx, block_groups, used_bytes); });
}

bool AggregateSpill::leaves_room(const std::vector<std::shared_ptr<Ended>>& all, int64_t promised_bytes) {
  int64_t used = 0;
  int64_t given_back = 0;
  for (const auto& ended : all) {
    used += ended->memory->used_bytes();
    given_back += ended->memory->held_bytes() - ended->memory->used_bytes() + ended->writing->held_bytes();
  }
  // Merged groups may take half more than before, and stay; each worker has a partition and a half beside them.
  const int64_t of_worker = kEnoughBytes + used / GroupSlices::kPartitions * 3 / 2;
  const int64_t wanted = used * 3 / 4;
  const int64_t left = target_->bytes_left() + given_back - promised_bytes;
  if (left < wanted + std::min(used / kEnoughPart, of_worker * num_workers())) return false;
  bytes_to_merge_ = wanted;
  return true;
}

void AggregateSpill::finish(int64_t promised_bytes) {
  const std::vector<std::shared_ptr<Ended>> all = ended();
  // Nobody writes some of them from here on.
  std::vector<std::unique_lock<std::mutex>> locks;
  for (const auto& ended : all) locks.emplace_back(ended->mutex);
  if (!has_spilled_) has_spilled_ = can_spill_ && !all.empty() && !leaves_room(all, promised_bytes);
  if (has_spilled_) return;
  for (const auto& ended : all) {
    ended->memory->shrink();
    ended->writing->shrink();
    result_->bring(std::exchange(ended->arranged, {}), ended->memory);
  }
  result_->finish();
}

int64_t AggregateSpill::num_finish_tasks() const { return has_spilled_ ? static_cast<int64_t>(ended().size()) : 0; }

void AggregateSpill::run_finish_task(int64_t task) { write(*ended()[static_cast<size_t>(task)], *ctx_.cancellation); }

std::shared_ptr<const StageRows> AggregateSpill::spilled() const {
  return std::make_shared<SpilledGroupRows>(spilled_, result_, ctx_, target_, num_workers());
}

}  // namespace accelerant::operators
