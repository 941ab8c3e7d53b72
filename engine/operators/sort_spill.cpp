#include "operators/sort_spill.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/spill_sizes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using memory::PrepaidMemory;

namespace {

/// What sorting a row takes beside its columns: its number and a word, twice; then its place and a word.
constexpr int64_t kSortBytesOfRow = 2 * sizeof(KeyedRow) + sizeof(int32_t) + sizeof(uint64_t);
/// What it takes for each further key.
constexpr int64_t kSortBytesOfKey = sizeof(uint64_t);
/// What buffers take beside what is in them, in a run and the blocks that are made of it.
constexpr int64_t kBytesOfRunColumn = 512;
/// What writing more rows takes beside them is no more than what sorting them took.
constexpr int64_t kManyBytes = 1 << 20;
/// By how much memory is prepaid at a time at least, and left to others when there is no more.
constexpr int64_t kLeastSortStep = 4 * 1024;

/// Of rows that are pruned half are kept at most, with what was made to sort them.
constexpr int64_t kMostKeptPart = 2;
/// What the first row of a block takes for each key.
constexpr int64_t kBytesOfFirstRow = 512;

/// Returns what writing a run takes beside it: a block that is gathered, those that are made and on their way, with
/// room to compress them, and first rows.
int64_t bytes_to_write_run(int64_t run_bytes, size_t num_keys, size_t num_columns) {
  const int64_t block_bytes = spilled_block_bytes(run_bytes);
  const int64_t num_blocks = run_bytes / block_bytes + 1;
  return 8 * std::min(block_bytes, run_bytes) + num_blocks * static_cast<int64_t>(num_keys) * kBytesOfFirstRow +
         6 * static_cast<int64_t>(num_columns + 1) * kBytesOfRunColumn;
}

/// Returns the bytes of columns that two batches share.
int64_t bytes_of_both(const Batch& lhs, const Batch& rhs) {
  int64_t num_bytes = 0;
  for (size_t i = 0; i < lhs.columns.size(); ++i) {
    if (lhs.columns[i] == rhs.columns[i]) num_bytes += lhs.columns[i]->memory_bytes() + memory::Buffer::kPaddingBytes;
  }
  return num_bytes;
}

/// Returns what the rows of a batch take more when they are put together: encodings go, and strings are each row's own.
int64_t more_bytes_together(const Batch& batch) {
  int64_t num_bytes = 0;
  for (const ColumnPtr& column : batch.columns) {
    num_bytes += std::max<int64_t>(0, columns::concatenated_bytes(*column) - column->memory_bytes());
  }
  return num_bytes;
}

}  // namespace

SortSpill::SortSpill(std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx,
                     std::shared_ptr<spill::SpillTarget> target, SortReaders readers)
    : WorkerSpill(ctx, std::move(target)), order_(std::move(order)), readers_(std::move(readers)) {}

std::shared_ptr<SortSpill::Worker> SortSpill::add_worker() {
  auto worker = std::make_shared<Worker>(ctx_.budget);
  enlist(worker);
  return worker;
}

// Rows are put together, which takes them twice, each with a value of its own, and sorted then.
int64_t SortSpill::needed_bytes(const Worker& worker, const Batch& in, int64_t foreign_bytes,
                                int64_t more_bytes) const {
  const size_t num_keys = order_->keys().size();
  const int64_t of_row = kSortBytesOfRow + kSortBytesOfKey * static_cast<int64_t>(num_keys);
  const int64_t used = worker.memory()->used_bytes();
  const int64_t rows = used + worker.foreign_bytes_ + foreign_bytes + worker.more_bytes_ + more_bytes;
  const int64_t writing = bytes_to_write_run(std::min(rows, kManyBytes), num_keys, in.columns.size());
  return rows + std::max(used, (worker.num_rows_ + in.num_rows) * of_row) + writing;
}

Batch SortSpill::copy(Worker& worker, const Batch& in) {
  Batch batch;
  const auto num_values = in.num_selected() * static_cast<int64_t>(in.columns.size());
  // That it is enough is not known, that it can be had neither.
  static_cast<void>(worker.memory()->try_grow(worker.memory()->used_bytes() + num_values * kUsualBytesOfValue));
  with_memory(worker, kLeastSortStep, [&] {
    const auto budget = worker.memory()->budget();
    Batch copied = columns::compact(in, budget);
    for (ColumnPtr& column : copied.columns) {
      if (!column->owns_its_bytes_only()) column = columns::copy_compact(*column, budget);
    }
    batch = std::move(copied);
  });
  return batch;
}

void SortSpill::take(Worker& worker, const Batch& in) {
  const WorkerLease lease(worker);
  if (worker.num_rows_ + in.num_selected() > std::numeric_limits<int32_t>::max()) spill(worker, *ctx_.cancellation);
  Batch batch = copy(worker, in);
  if (batch.num_rows == 0) return;
  PrepaidMemory& memory = *worker.memory();
  const int64_t foreign_bytes = bytes_of_both(in, batch);
  const int64_t more_bytes = more_bytes_together(batch);
  const auto needed = [&] { return needed_bytes(worker, batch, foreign_bytes, more_bytes); };
  const int64_t wanted = needed();
  if (wanted > memory.held_bytes() && !memory.try_grow(wanted + std::max(wanted / kStepPart, kLeastSortStep))) {
    // What the copy takes is prepaid for sorting the rows before.
    batch = {};
    ask_larger_workers(worker);
    spill(worker, *ctx_.cancellation);
    batch = copy(worker, in);
    grow(worker, memory, needed());
  }
  worker.num_rows_ += batch.num_rows;
  worker.foreign_bytes_ += foreign_bytes;
  worker.more_bytes_ += more_bytes;
  worker.batches_.push_back(std::move(batch));
  // The rows are taken.
  spill_if_wanted(worker);
}

void SortSpill::put_together(Worker& worker, const execution::OperatorContext& ctx) {
  if (worker.rows_ && worker.batches_.empty()) return;
  if (worker.rows_) {
    std::vector<Batch> before = worker.rows_->as_batches();
    worker.batches_.insert(worker.batches_.begin(), before.begin(), before.end());
    worker.rows_.reset();
  }
  worker.rows_.emplace(worker.batches_, ctx);
  worker.batches_.clear();
  worker.foreign_bytes_ = worker.more_bytes_ = 0;
}

std::unique_ptr<const SortedRun> SortSpill::sort(Worker& worker, const execution::Cancellation& cancellation) {
  const execution::OperatorContext ctx = context_of(*worker.memory(), cancellation);
  put_together(worker, ctx);
  return pruned(std::make_unique<const SortedRun>(*worker.rows_, order_, ctx), *worker.memory(), ctx);
}

// It spares memory, so that it is left where it takes some that can't be had.
std::unique_ptr<const SortedRun> SortSpill::pruned(std::unique_ptr<const SortedRun> run, PrepaidMemory& memory,
                                                   const execution::OperatorContext& ctx) const {
  if (!readers_.prune || !memory.try_grow(memory.used_bytes() + memory.used_bytes() / kMostKeptPart)) return run;
  try {
    if (auto kept = readers_.prune(*run, ctx)) return kept;
  } catch (const Error& error) {
    if (error.error_class() != memory::kOutOfBudget) throw;
  }
  return run;
}

int64_t SortSpill::prune(Worker& worker) {
  const WorkerLease lease(worker);
  if (worker.num_rows_ == 0) return 0;
  std::unique_ptr<const SortedRun> run = sort(worker, *ctx_.cancellation);
  worker.rows_ = run->rows();
  worker.num_rows_ = run->num_rows();
  Batch none;
  none.columns.resize(run->columns().size());
  run.reset();
  worker.memory()->shrink(needed_bytes(worker, none, 0, 0) - worker.memory()->used_bytes());
  spill_if_wanted(worker);
  return worker.num_rows_;
}

SpilledRunPtr SortSpill::write_run(const SortedRun& run, memory::PrepaidMemory& memory,
                                   const execution::Cancellation& cancellation) {
  int64_t num_bytes = 0;
  for (const ColumnPtr& column : run.columns()) num_bytes += column->memory_bytes();
  SpilledRunPtr written;
  write_in_blocks(run.num_rows(), num_bytes, spilled_block_bytes(num_bytes), memory,
                  [&](int64_t block_rows) { written = write_run(run, context_of(memory, cancellation), block_rows); });
  return written;
}

SpilledRunPtr SortSpill::write_run(const SortedRun& run, const execution::OperatorContext& ctx, int64_t block_rows) {
  return SpilledRunWriter::write(*target_, *order_, run.key_spans(), ctx.budget, [&](SpilledRunWriter& writer) {
    const SortedRun::View view = run.view();
    const MorselOfRow morsel_of(run.rows());
    for (int64_t first = 0; first < run.num_rows(); first += block_rows) {
      ctx.cancellation->check();
      std::vector<int32_t> rows;
      std::vector<int64_t> morsels;
      for (int64_t place = first; place < std::min(first + block_rows, run.num_rows()); ++place) {
        rows.push_back(view.row(place));
        morsels.push_back(morsel_of(rows.back()));
      }
      std::vector<ColumnPtr> gathered;
      for (const ColumnPtr& column : run.columns()) gathered.push_back(columns::gather(*column, rows, ctx.budget));
      writer.add(gathered, std::move(morsels));
    }
  });
}

void SortSpill::write(SpillingWorker& spilling, const execution::Cancellation& cancellation) {
  auto& worker = static_cast<Worker&>(spilling);
  const std::unique_ptr<const SortedRun> run = sort(worker, cancellation);
  // What is not wanted is in nobody's way.
  worker.rows_ = run->rows();
  worker.num_rows_ = run->num_rows();
  SpilledRunPtr written = write_run(*run, *worker.memory(), cancellation);
  worker.rows_.reset();
  worker.num_rows_ = 0;
  const std::lock_guard lock(mutex_);
  spilled_.push_back(std::move(written));
}

void SortSpill::end(Worker& worker) {
  const WorkerLease lease(worker);
  if (worker.num_rows_ == 0) return worker.memory()->shrink();
  if (must_spill(worker)) return spill(worker, *ctx_.cancellation);
  std::unique_ptr<const SortedRun> run = sort(worker, *ctx_.cancellation);
  worker.rows_.reset();
  worker.num_rows_ = 0;
  // It may have to be written yet.
  worker.memory()->shrink(
      bytes_to_write_run(worker.memory()->used_bytes(), order_->keys().size(), run->columns().size()));
  const std::lock_guard lock(mutex_);
  sorted_.push_back(std::move(run));
  memory_.push_back(worker.memory());
}

int64_t SortSpill::fan_in(const SpilledRuns& runs) const {
  int64_t block = 1;
  for (const SpilledRunPtr& run : runs) block = std::max(block, run->largest_block());
  // A block and the next one, with words and what is made of them, or others merge; of half of what is left, for as
  // many parts as there are workers.
  const int64_t blocks = target_->bytes_left() / (2 * block) / std::max<int64_t>(num_workers(), 1);
  return std::max<int64_t>(2, blocks / 3);
}

SpilledRunPtr SortSpill::merge(SpilledRuns runs) {
  int64_t block_rows = 0;
  SpilledPosition end;
  KeySpans spans;
  for (const SpilledRunPtr& run : runs) {
    end.push_back(run->num_rows());
    spans.add(run->key_spans());
    block_rows = std::max(block_rows, run->blocks().front().num_rows);
  }
  const auto order = std::make_shared<SpilledOrder>(order_, runs);
  return SpilledRunWriter::write(*target_, *order_, spans, ctx_.budget, [&](SpilledRunWriter& writer) {
    SpilledMerge merging(runs, SpilledPosition(runs.size()), end, order, ctx_, *target_);
    Batch batch;
    std::vector<int64_t> morsels;
    for (merging.read(block_rows, batch, &morsels); batch.num_rows > 0; merging.read(block_rows, batch, &morsels)) {
      writer.add(batch.columns, morsels);
    }
  });
}

// Runs that are merged are neighbours, so that a worker's stay in their order.
void SortSpill::complete() {
  while (!sorted_.empty()) {
    spilled_.push_back(write_run(*sorted_.back(), *memory_.back(), *ctx_.cancellation));
    // What the written run keeps in memory would hold all of it.
    sorted_.pop_back();
    memory_.back()->shrink();
    memory_.pop_back();
  }
  for (int64_t most = fan_in(spilled_); static_cast<int64_t>(spilled_.size()) > most; most = fan_in(spilled_)) {
    const auto num_runs = static_cast<int64_t>(spilled_.size());
    const auto count = static_cast<ptrdiff_t>(std::clamp<int64_t>(num_runs - most + 1, 2, most));
    auto rows_from = [&](auto first) {
      int64_t rows = 0;
      for (auto run = first; run != first + count; ++run) rows += (*run)->num_rows();
      return rows;
    };
    auto least = spilled_.begin();
    for (auto first = spilled_.begin(); spilled_.end() - first >= count; ++first) {
      if (rows_from(first) < rows_from(least)) least = first;
    }
    *least = merge({least, least + count});
    spilled_.erase(least + 1, least + count);
  }
}

bool SortSpill::leaves_room() const {
  int64_t sorted_bytes = 0;
  for (const auto& memory : memory_) sorted_bytes += memory->held_bytes();
  int64_t wanted = std::min(sorted_bytes / kEnoughPart, kEnoughBytes * num_workers());
  if (readers_.bytes_to_read) wanted = std::max(wanted, readers_.bytes_to_read(sorted_));
  return target_->bytes_left() >= wanted;
}

std::shared_ptr<const SortedRows> SortSpill::sorted() {
  if (!has_spilled_) has_spilled_ = can_spill_ && !leaves_room();
  if (has_spilled_) return nullptr;
  for (const auto& memory : memory_) memory->shrink();
  auto rows = std::make_shared<SortedRows>(std::move(sorted_), ctx_, std::move(memory_));
  ctx_.budget->add_reclaimer(rows);
  return rows;
}

std::shared_ptr<const SpilledParts> SortSpill::spilled(size_t num_keys) const {
  return std::make_shared<SpilledParts>(spilled_, order_, num_keys, ctx_, target_);
}

}  // namespace accelerant::operators
