#include "operators/limit_spill.h"

#include "columns/gather.h"
#include "operators/spill_sizes.h"
#include "spill/block_writer.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using memory::PrepaidMemory;

namespace {

/// A block that is made, one on its way with room to compress it, and one more.
constexpr int64_t kCopiesOfLimitBlock = 4;
/// What a column of a block takes at least.
constexpr int64_t kBytesOfLimitColumn = 1 << 10;
/// How much memory is asked of others at a time at least.
constexpr int64_t kLeastLimitStep = 4 << 10;

int64_t bytes_of(const LimitRows& rows) {
  int64_t num_bytes = 0;
  for (const ColumnPtr& column : rows.columns) num_bytes += column->memory_bytes();
  return num_bytes;
}

/// Returns what writing rows takes beside them.
/// @param largest_bytes of one batch
int64_t bytes_to_write_limit(int64_t num_bytes, int64_t largest_bytes, size_t num_columns) {
  return kCopiesOfLimitBlock * std::min(spilled_block_bytes(num_bytes), largest_bytes) +
         static_cast<int64_t>(num_columns + 1) * kBytesOfLimitColumn;
}

/// Appends rows to a file as blocks of so many rows at most.
void add_blocks(const LimitRows& rows, int64_t block_rows, spill::BlockWriter& writer,
                std::vector<LimitRows::Block>& blocks) {
  for (int64_t first = 0; first < rows.num_rows; first += block_rows) {
    const int64_t num_rows = std::min(block_rows, rows.num_rows - first);
    std::vector<ColumnPtr> slices;
    for (const ColumnPtr& column : rows.columns) slices.push_back(column->slice(first, num_rows));
    writer.add(slices);
    blocks.push_back({{writer.file(), {}}, num_rows});
  }
}

}  // namespace

bool LimitSpill::Worker::is_empty() const {
  return std::ranges::all_of(rows_, [](const auto& rows) { return rows.expired(); });
}

LimitSpill::LimitSpill(const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
    : WorkerSpill(ctx, std::move(target)) {}

std::shared_ptr<LimitSpill::Worker> LimitSpill::add_worker() {
  auto worker = std::make_shared<Worker>(ctx_.budget);
  enlist(worker);
  const std::lock_guard lock(mutex_);
  all_.push_back(worker);
  return worker;
}

std::shared_ptr<LimitRows> LimitSpill::copy(Worker& worker, const Batch& in) {
  auto rows = std::make_shared<LimitRows>();
  with_memory(worker, kLeastLimitStep, [&] {
    const auto budget = worker.memory()->budget();
    Batch copied = columns::compact(in, budget);
    for (ColumnPtr& column : copied.columns) {
      if (!column->owns_its_bytes_only()) column = columns::copy_compact(*column, budget);
    }
    rows->num_rows = copied.num_rows;
    rows->errors = std::move(copied.errors);
    rows->columns = std::move(copied.columns);
  });
  return rows;
}

std::shared_ptr<const LimitRows> LimitSpill::take(Worker& worker, const Batch& in) {
  const WorkerLease lease(worker);
  std::shared_ptr<LimitRows> rows = copy(worker, in);
  PrepaidMemory& memory = *worker.memory();
  const auto writing = [&] {
    const int64_t num_bytes = bytes_of(*rows);
    return bytes_to_write_limit(worker.num_bytes_ + num_bytes, std::max(worker.largest_bytes_, num_bytes),
                                in.columns.size());
  };
  const auto needed = [&] { return memory.used_bytes() + writing(); };
  const int64_t wanted = needed();
  if (wanted > memory.held_bytes() && !memory.try_grow(wanted + std::max(wanted / kStepPart, kLeastLimitStep))) {
    if (can_spill_ && !worker.is_empty()) {
      rows.reset();
      ask_larger_workers(worker);
      spill(worker, *ctx_.cancellation);
      rows = copy(worker, in);
    }
    if (needed() > memory.held_bytes()) grow(worker, memory, needed());
  }
  // Where there is nothing to write they may as well stay.
  if (!in.columns.empty()) {
    worker.bytes_to_write_ = writing();
    worker.num_bytes_ += bytes_of(*rows);
    worker.largest_bytes_ = std::max(worker.largest_bytes_, bytes_of(*rows));
    worker.rows_.push_back(rows);
  }
  // The rows are taken.
  spill_if_wanted(worker);
  return rows;
}

void LimitSpill::write(SpillingWorker& spilling, const execution::Cancellation& cancellation) {
  auto& worker = static_cast<Worker&>(spilling);
  std::vector<std::shared_ptr<LimitRows>> held;
  int64_t num_rows = 0;
  int64_t num_bytes = 0;
  for (const auto& rows : worker.rows_) {
    if (auto locked = rows.lock()) {
      num_rows += locked->num_rows;
      num_bytes += bytes_of(*locked);
      held.push_back(std::move(locked));
    }
  }
  std::vector<std::vector<LimitRows::Block>> blocks;
  write_in_blocks(num_rows, num_bytes, spilled_block_bytes(num_bytes), *worker.memory(), [&](int64_t block_rows) {
    spill::BlockWriter::with_folders(*target_, [&] {
      blocks.assign(held.size(), {});
      spill::BlockWriter writer(*target_, worker.memory()->budget());
      for (size_t i = 0; i < held.size(); ++i) {
        cancellation.check();
        add_blocks(*held[i], block_rows, writer, blocks[i]);
      }
      const std::vector<spill::BlockExtent> places = writer.finish();
      auto place = places.begin();
      for (auto& of_rows : blocks) {
        for (LimitRows::Block& block : of_rows) block.stored.place = *place++;
      }
    });
  });
  for (size_t i = 0; i < held.size(); ++i) {
    for (const ColumnPtr& column : held[i]->columns) held[i]->types.push_back(column->type());
    held[i]->blocks = std::move(blocks[i]);
    held[i]->columns.clear();
  }
  worker.rows_.clear();
  worker.num_bytes_ = worker.largest_bytes_ = worker.bytes_to_write_ = 0;
}

void LimitSpill::end(Worker& worker) {
  const WorkerLease lease(worker);
  if (!worker.is_empty() && must_spill(worker)) spill(worker, *ctx_.cancellation);
  // They may have to be written yet.
  worker.memory()->shrink(worker.bytes_to_write_);
}

bool LimitSpill::must_complete() {
  if (has_spilled_ || !can_spill_) return has_spilled_;
  int64_t num_bytes = 0;
  for (const auto& worker : all_) {
    for (const auto& rows : worker->rows_) {
      if (const auto held = rows.lock()) num_bytes += bytes_of(*held);
    }
  }
  return target_->bytes_left() < std::min(num_bytes / kEnoughPart, kEnoughBytes * num_workers());
}

void LimitSpill::complete() {
  for (const auto& worker : all_) {
    const WorkerLease lease(*worker);
    if (!worker->is_empty()) spill(*worker, *ctx_.cancellation);
  }
}

void LimitSpill::settle() {
  for (const auto& worker : all_) {
    leave(*worker);
    worker->memory()->shrink();
  }
  all_.clear();
}

}  // namespace accelerant::operators
