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
/// Rows are not grouped before they are written where so many have more groups than `kLeastGroups`: what grouping them
/// saves is less than what it takes.
constexpr int64_t kJudgedRows = 10;
constexpr int64_t kLeastGroups = 9;
/// So many rows for each of these groups, and no more than so many in all, pass before some are grouped again, to see:
/// of few groups it is not known how many keys there are.
constexpr int64_t kPassedRowsOfGroup = 16;
constexpr int64_t kMostPassedRows = 1 << 20;
/// Of so many bytes blocks are made at a time: a cache holds them.
constexpr int64_t kPassedBytes = 8 << 20;

}  // namespace

AggregateSpill::AggregateSpill(std::shared_ptr<const plan::Aggregate> node, std::shared_ptr<GroupedStates> result,
                               const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
    : WorkerSpill(ctx, std::move(target)),
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

// To choose groups, what holds rows looks at all of these: the fewer blocks, the better.
int64_t AggregateSpill::block_bytes_of(int64_t used_bytes) const {
  return holds_rows_ ? spilled_block_bytes(used_bytes) : sliced_block_bytes(used_bytes);
}

int64_t AggregateSpill::bytes_to_write(int64_t used_bytes, int64_t num_groups, int64_t row_bytes) const {
  const int64_t block_bytes = std::max(block_bytes_of(used_bytes), dealt_block_bytes(row_bytes));
  const int64_t copies = kCopiesOfGroupBlock * std::min(block_bytes, std::max(used_bytes, row_bytes));
  // Of groups by slices, and of those of a block that pairs of values are listed for.
  const int64_t numbers = num_groups * 2 * static_cast<int64_t>(sizeof(int32_t));
  // Of states that hold rows, one may have most of them.
  const int64_t largest = holds_rows_ ? used_bytes : 0;
  return copies + numbers + largest + least_bytes_;
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

bool AggregateSpill::try_to_pass(Worker& worker, const columns::Batch& batch) {
  if (!has_spilled_) return false;
  const WorkerLease lease(worker);
  if (worker.num_to_pass_ <= 0) return false;
  if (worker.is_empty()) grow(worker, *worker.writing_, bytes_to_write(0, 0));
  with_memory(worker, kLeastGroupStep, [&] {
    StateRows rows = state_rows_of(*node_, batch, context_of(worker));
    worker.num_rows_ += rows.num_rows;
    worker.row_bytes_ += rows.num_bytes();
    worker.num_to_pass_ -= rows.num_rows;
    worker.rows_.push_back(std::move(rows));
  });
  return true;
}

void AggregateSpill::settle(Worker& worker) {
  const WorkerLease lease(worker);
  if (worker.is_empty()) return;
  const int64_t num_groups = worker.num_arranged_ + worker.num_rows_ + worker.num_groups();
  const int64_t wanted = bytes_to_write(worker.memory()->used_bytes(), num_groups, worker.row_bytes_);
  if (can_spill_ && wanted > worker.writing_->held_bytes() && !worker.writing_->try_grow(wanted + wanted / kStepPart)) {
    ask_larger_workers(worker);
    spill(worker, *ctx_.cancellation);
  } else if (worker.row_bytes_ >= kPassedBytes) {
    spill(worker, *ctx_.cancellation);
  } else if (worker.num_groups() >= GroupedStates::kMaxOwnGroups && result_->wants_small_sets()) {
    // Of groups that hardly merge, the rows behind them go to disk as well.
    if (has_spilled_ && worker.hardly_merges()) {
      spill(worker, *ctx_.cancellation);
    } else {
      arrange(worker);
    }
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
    worker.num_added_ += worker.groups_->num_rows;
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
  worker.rows_.clear();
  worker.writer_.reset();
  worker.memory()->shrink();
  if (worker.writing_) worker.writing_->shrink();
}

void AggregateSpill::write(SpillingWorker& spilling, const execution::Cancellation& cancellation) {
  auto& worker = static_cast<Worker&>(spilling);
  write_rows(worker, cancellation);
  write_groups(worker, cancellation);
  worker.writing_->shrink(bytes_to_write(0, 0));
}

void AggregateSpill::write_groups(Worker& worker, const execution::Cancellation& cancellation) {
  std::vector<const GroupSet*> sets;
  for (const ArrangedGroups& arranged : worker.arranged_) arranged.add_sets(sets);
  if (worker.groups_) sets.push_back(worker.groups_.get());
  const int64_t num_groups = worker.num_arranged_ + worker.num_groups();
  if (num_groups > 0) {
    const int64_t used_bytes = worker.memory()->used_bytes();
    write(sets, num_groups, used_bytes, *worker.writing_, worker.writer_, cancellation);
    worker.bytes_of_group_ = used_bytes / num_groups;
    if (!holds_rows_ && !node_->keys.empty() && worker.hardly_merges()) {
      worker.num_to_pass_ = std::min(kMostPassedRows, num_groups * kPassedRowsOfGroup);
    }
  }
  worker.groups_.reset();
  worker.arranged_.clear();
  worker.num_arranged_ = worker.num_added_ = 0;
}

void AggregateSpill::write_rows(Worker& worker, const execution::Cancellation& cancellation) {
  if (worker.rows_.empty()) return;
  const execution::OperatorContext ctx = WorkerSpill::context_of(*worker.writing_, cancellation);
  write_in_blocks(worker.num_rows_, worker.row_bytes_, dealt_block_bytes(worker.row_bytes_), *worker.writing_,
                  [&](int64_t block_groups) {
                    spilled_->write(worker.rows_, {*target_, worker.writer_, block_groups}, ctx,
                                    worker.num_rows_ * worker.bytes_of_group_);
                  });
  worker.rows_.clear();
  worker.num_rows_ = worker.row_bytes_ = 0;
}

void AggregateSpill::write(Ended& ended, const execution::Cancellation& cancellation) {
  const std::lock_guard writing(ended.mutex);
  if (ended.arranged.empty()) return;
  std::vector<const GroupSet*> sets;
  for (const ArrangedGroups& arranged : ended.arranged) arranged.add_sets(sets);
  target_->folders.check(target_->owner);
  std::unique_ptr<spill::BlockWriter> writer;
  write(sets, ended.num_groups, ended.memory->used_bytes(), *ended.writing, writer, cancellation);
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
                           memory::PrepaidMemory& writing, std::unique_ptr<spill::BlockWriter>& writer,
                           const execution::Cancellation& cancellation) {
  const execution::OperatorContext ctx = WorkerSpill::context_of(writing, cancellation);
  write_in_blocks(num_groups, used_bytes, block_bytes_of(used_bytes), writing, [&](int64_t block_groups) {
    spilled_->write(sets, {*target_, writer, block_groups}, ctx, used_bytes);
  });
}

bool AggregateSpill::Worker::hardly_merges() const {
  const int64_t num_rows = num_added_ + (groups_ ? groups_->num_rows : 0);
  return (num_arranged_ + num_groups()) * kJudgedRows > num_rows * kLeastGroups;
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
