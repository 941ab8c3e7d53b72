#include "operators/join_rows_spill.h"

#include "operators/spill_sizes.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

namespace {

/// What is gathered, put together, made a block of, and one on its way with room to compress it.
constexpr int64_t kCopiesOfBlock = 8;
/// What a column of a block takes at least, and a chunk's part of one.
constexpr int64_t kBytesOfBlockColumn = 1 << 10;
constexpr int64_t kBytesOfPart = 512;
/// How much memory is asked of others at a time at least.
constexpr int64_t kLeastJoinStep = 16 << 10;
/// Of so many bytes blocks are made at a time.
constexpr int64_t kBytesAtOnce = 8 << 20;

int64_t step_of(int64_t bytes) { return std::max(kLeastJoinStep, bytes / kStepPart); }

int64_t held_bytes(const HashedRows& held) {
  int64_t num_bytes = held.rows.num_rows * static_cast<int64_t>(sizeof(uint64_t));
  for (const auto& column : held.rows.columns) num_bytes += column->memory_bytes();
  return num_bytes;
}

/// Returns what writing rows takes beside them.
int64_t bytes_to_write(int64_t num_bytes, int64_t num_rows, size_t num_chunks, size_t num_columns) {
  return kCopiesOfBlock * std::min(dealt_block_bytes(num_bytes), num_bytes) +
         num_rows * static_cast<int64_t>(sizeof(int32_t)) + static_cast<int64_t>(num_chunks) * kBytesOfPart +
         static_cast<int64_t>(num_columns + 1) * kBytesOfBlockColumn;
}

}  // namespace

JoinRowsSpill::JoinRowsSpill(std::shared_ptr<SpilledJoinRows> to, int64_t most_bytes,
                             const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
    : WorkerSpill(ctx, std::move(target)), to_(std::move(to)), most_bytes_(most_bytes) {}

std::shared_ptr<JoinRowsSpill::Worker> JoinRowsSpill::add_worker() {
  auto worker = std::make_shared<Worker>(ctx_.budget);
  enlist(worker);
  const std::lock_guard lock(mutex_);
  all_.push_back(worker);
  return worker;
}

void JoinRowsSpill::take(Worker& worker, int64_t expected_bytes,
                         const std::function<HashedRows(const std::shared_ptr<memory::Budget>&)>& make) {
  const WorkerLease lease(worker);
  memory::PrepaidMemory& memory = *worker.memory();
  HashedRows made;
  const auto make_rows = [&] {
    const int64_t expected = memory.used_bytes() + expected_bytes;
    if (expected > memory.held_bytes()) static_cast<void>(memory.try_grow(expected + step_of(expected)));
    with_memory(worker, kLeastJoinStep, [&] { made = make(memory.budget()); });
  };
  make_rows();
  const auto needed = [&] {
    return memory.used_bytes() + bytes_to_write(worker.num_bytes_ + held_bytes(made),
                                                worker.num_rows_ + made.rows.num_rows, worker.rows_.size() + 1,
                                                made.rows.columns.size());
  };
  const int64_t wanted = needed();
  if (wanted > memory.held_bytes() && !memory.try_grow(wanted + step_of(wanted))) {
    if (can_spill_ && !worker.is_empty()) {
      made = {};
      ask_larger_workers(worker);
      spill(worker, *ctx_.cancellation);
      make_rows();
    }
    if (needed() > memory.held_bytes()) grow(worker, memory, needed());
  }
  if (made.rows.num_rows == 0) return;
  if (worker.num_bytes_ + held_bytes(made) > most_bytes_ && !worker.is_empty()) spill(worker, *ctx_.cancellation);
  worker.num_rows_ += made.rows.num_rows;
  worker.num_bytes_ += held_bytes(made);
  worker.rows_.push_back(std::move(made));
  // The rows are taken.
  spill_if_wanted(worker);
}

void JoinRowsSpill::end(Worker& worker) {
  const WorkerLease lease(worker);
  if (!worker.is_empty() && must_spill(worker)) spill(worker, *ctx_.cancellation);
  if (worker.is_empty()) return worker.memory()->shrink();
  // They may have to be written yet.
  worker.memory()->shrink(bytes_to_write(worker.num_bytes_, worker.num_rows_, worker.rows_.size(),
                                         worker.rows_.front().rows.columns.size()));
}

void JoinRowsSpill::write(SpillingWorker& spilling, const execution::Cancellation& cancellation) {
  auto& worker = static_cast<Worker&>(spilling);
  memory::PrepaidMemory& memory = *worker.memory();
  const execution::OperatorContext ctx = context_of(memory, cancellation);
  // A partition's rows are in all chunks, so that these are passed once for each: those of one turn stay in a cache.
  while (!worker.rows_.empty()) {
    size_t num_chunks = 0;
    int64_t num_rows = 0;
    int64_t num_bytes = 0;
    do {
      num_rows += worker.rows_[num_chunks].rows.num_rows;
      num_bytes += held_bytes(worker.rows_[num_chunks++]);
    } while (num_chunks < worker.rows_.size() && num_bytes < kBytesAtOnce);
    const std::span<const HashedRows> chunks(worker.rows_.data(), num_chunks);
    write_in_blocks(num_rows, num_bytes, dealt_block_bytes(num_bytes), memory,
                    [&](int64_t block_rows) { to_->write(chunks, *target_, worker.writer_, ctx, block_rows); });
    worker.rows_.erase(worker.rows_.begin(), worker.rows_.begin() + static_cast<std::ptrdiff_t>(num_chunks));
    worker.num_rows_ -= num_rows;
    worker.num_bytes_ -= num_bytes;
  }
}

std::optional<std::vector<JoinTable::Chunk>> JoinRowsSpill::take_all(
    const std::function<bool(std::span<const HashedRows* const> rows, int64_t prepaid_bytes)>& fits) {
  // Who reclaims memory writes none while they are held.
  std::vector<std::unique_ptr<WorkerLease>> leases;
  std::vector<const HashedRows*> rows;
  int64_t prepaid_bytes = 0;
  for (const auto& worker : all_) {
    leases.push_back(std::make_unique<WorkerLease>(*worker));
    for (const HashedRows& held : worker->rows_) rows.push_back(&held);
    prepaid_bytes += worker->memory()->held_bytes() - worker->memory()->used_bytes();
  }
  if (!has_spilled_) has_spilled_ = can_spill_ && !fits(rows, prepaid_bytes);
  if (has_spilled_) return std::nullopt;
  std::vector<JoinTable::Chunk> chunks;
  for (const auto& worker : all_) {
    for (HashedRows& held : worker->rows_) chunks.push_back(std::move(held.rows));
    worker->rows_.clear();
    worker->num_rows_ = worker->num_bytes_ = 0;
    worker->memory()->shrink();
  }
  return chunks;
}

void JoinRowsSpill::take_back(std::vector<JoinTable::Chunk> chunks) {
  has_spilled_ = true;
  if (all_.empty()) return;
  Worker& worker = *all_.front();
  const WorkerLease lease(worker);
  for (JoinTable::Chunk& chunk : chunks) {
    HashedRows held{std::move(chunk)};
    worker.num_rows_ += held.rows.num_rows;
    worker.num_bytes_ += held_bytes(held);
    worker.rows_.push_back(std::move(held));
  }
}

void JoinRowsSpill::write_all() {
  for (const auto& worker : all_) {
    const WorkerLease lease(*worker);
    if (worker->is_empty()) continue;
    spill(*worker, *ctx_.cancellation);
  }
  shrink();
}

void JoinRowsSpill::shrink() {
  for (const auto& worker : all_) worker->memory()->shrink();
}

}  // namespace accelerant::operators
