#include "io/row_group_reader.h"

#include "base/error.h"
#include "io/parquet_statistics.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

constexpr int64_t kDefaultBatchRows = 16 * 1024;
/// Chunks closer together than this are read at once.
constexpr int64_t kMaxGapBytes = 64 * 1024;

bool needs(const expressions::Program& program, size_t column) {
  const auto& inputs = program.inputs();
  return std::binary_search(inputs.begin(), inputs.end(), static_cast<int>(column));
}

/// Ranks a filter by what its columns cost to read.
int cost_of(const ScanSpec& spec, const expressions::Program& program) {
  int cost = 0;
  for (const int input : program.inputs()) {
    const ScanColumn& column = spec.columns[static_cast<size_t>(input)];
    if (column.partition_index < 0) cost += 1 + types::width_of(column.type.physical());
  }
  return cost;
}

/// A chunk to be fetched, and for which column.
struct Fetch {
  size_t column;
  ChunkRange range;

  int64_t end() const { return range.offset + range.num_bytes; }
};

}  // namespace

std::vector<ScanFilter> make_filters(const ScanSpec& spec, const execution::OperatorContext& ctx) {
  auto programs = spec.filters;
  // One that can fail sees the rows that those before it leave, as with Spark.
  const auto first = std::find_if(programs.begin(), programs.end(), [](const auto& p) { return p->can_fail(); });
  std::stable_sort(programs.begin(), first,
                   [&](const auto& a, const auto& b) { return cost_of(spec, *a) < cost_of(spec, *b); });
  std::vector<ScanFilter> filters;
  for (auto& program : programs) {
    filters.push_back({program, expressions::Evaluator(program, ctx.budget, spec.filter_plan_node, ctx.parameters)});
  }
  return filters;
}

RowGroupReader::RowGroupReader(const ScanSpec& spec, RowGroupTask task, std::vector<ScanFilter>& filters,
                               KeyFiltering& key_filters, const execution::OperatorContext& ctx)
    : spec_(spec), task_(std::move(task)), key_filters_(key_filters), ctx_(ctx), readers_(spec.columns.size()) {
  num_rows_ = task_.file->row_groups[static_cast<size_t>(task_.row_group)].num_rows;
  decide_filters(filters);
  decide_key_filters();
}

RowGroupReader::~RowGroupReader() = default;

expressions::ColumnStatistics RowGroupReader::statistics(size_t column) const {
  const int partition_index = spec_.columns[column].partition_index;
  if (partition_index < 0) {
    return chunk_statistics(*task_.file, task_.row_group, task_.file->columns[column], ctx_.budget);
  }
  const ColumnPtr& value = task_.split->partition_values[static_cast<size_t>(partition_index)];
  if (value->is_null(0)) return {nullptr, nullptr, num_rows_};
  return {value, value, 0};
}

/// Leaves out the filters that every row passes, and the whole row group where no row can pass.
void RowGroupReader::decide_filters(std::vector<ScanFilter>& filters) {
  std::vector<expressions::ColumnStatistics> known(spec_.columns.size());
  for (const ScanFilter& filter : filters) {
    for (const int input : filter.program->inputs())
      known[static_cast<size_t>(input)] = statistics(static_cast<size_t>(input));
  }
  for (ScanFilter& filter : filters) {
    switch (expressions::prune(*filter.program, known, num_rows_)) {
      case expressions::Verdict::NoRow:
        position_ = num_rows_;
        return;
      case expressions::Verdict::EveryRow:
        break;
      case expressions::Verdict::Unknown:
        filters_.push_back(&filter);
        break;
    }
  }
}

/// Passes the whole row group over where no row can be wanted, unless a filter may fail of one.
void RowGroupReader::decide_key_filters() {
  if (std::any_of(filters_.begin(), filters_.end(), [](const ScanFilter* f) { return f->program->can_fail(); })) return;
  for (size_t i = 0; i < key_filters_.size() && !at_end(); ++i) {
    if (key_filters_.drops_all(i, statistics(key_filters_.column(i)), num_rows_)) position_ = num_rows_;
  }
}

/// Says whether a column is read to find out which rows are wanted.
bool RowGroupReader::is_filtered(size_t column) const {
  for (size_t i = 0; i < key_filters_.size(); ++i) {
    if (key_filters_.column(i) == column && key_filters_.is_active(i)) return true;
  }
  return std::any_of(filters_.begin(), filters_.end(), [&](const ScanFilter* f) { return needs(*f->program, column); });
}

void RowGroupReader::open() {
  if (local_) return;
  local_.emplace(task_.file->uri);
  if (!(local_->identity() == task_.file->identity)) {
    throw Error(ErrorKind::Resource, "the file " + task_.file->uri + " changed while it was being read");
  }
}

/// Reads the bytes of all columns that filters need, or of all others, near ones together.
void RowGroupReader::fetch(bool for_filters) {
  std::vector<Fetch> wanted;
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    if (readers_[i] || task_.file->columns[i].leaf < 0) continue;
    if (for_filters ? !is_filtered(i) : spec_.columns[i].filter_only) continue;
    wanted.push_back({i, locate_chunk(*task_.file, task_.row_group, task_.file->columns[i])});
  }
  if (wanted.empty()) return;
  open();
  std::sort(wanted.begin(), wanted.end(),
            [](const Fetch& a, const Fetch& b) { return a.range.offset < b.range.offset; });
  for (size_t first = 0, last; first < wanted.size(); first = last) {
    int64_t end = wanted[first].end();
    for (last = first + 1; last < wanted.size() && wanted[last].range.offset <= end + kMaxGapBytes; ++last) {
      end = std::max(end, wanted[last].end());
    }
    const int64_t start = wanted[first].range.offset;
    auto bytes = Buffer::allocate(end - start, ctx_.budget);
    local_->read(start, end - start, bytes->mutable_data());
    for (size_t i = first; i < last; ++i) start_column(wanted[i].column, wanted[i].range, bytes, start);
  }
}

/// Makes the reader of a column whose chunk lies in `bytes`, which start at `bytes_offset` of the file.
void RowGroupReader::start_column(size_t column, ChunkRange range, const memory::BufferPtr& bytes,
                                  int64_t bytes_offset) {
  const FileColumn& source = task_.file->columns[column];
  const parquet::FileMetaData& metadata = *task_.file->metadata;
  const auto group = metadata.RowGroup(task_.row_group);
  const bool always_compressed =
      metadata.writer_version().VersionLt(parquet::ApplicationVersion::PARQUET_CPP_10353_FIXED_VERSION());
  ChunkSource chunk{&source,          bytes,     range.offset - bytes_offset,
                    range.num_bytes,  num_rows_, group->ColumnChunk(source.leaf)->compression(),
                    always_compressed};
  readers_[column] = std::make_unique<ChunkReader>(std::move(chunk), ctx_.budget);
  readers_[column]->skip(position_);
  if (ctx_.metrics) ctx_.metrics->input_bytes += range.num_bytes;
}

ColumnPtr RowGroupReader::read_column(size_t column, int64_t num_rows) {
  const int partition_index = spec_.columns[column].partition_index;
  if (partition_index >= 0) {
    return Column::constant(task_.split->partition_values[static_cast<size_t>(partition_index)], num_rows);
  }
  if (task_.file->columns[column].leaf < 0) return Column::nulls(spec_.columns[column].type, num_rows, ctx_.budget);
  return readers_[column]->read(num_rows);
}

/// Turns whatever a decoder or a codec throws into an error that names file and column.
void RowGroupReader::rethrow(size_t column) const {
  const std::string context = "can't read column " + spec_.columns[column].name + " of " + task_.file->uri;
  try {
    throw;
  } catch (Error& error) {
    error.with_context(context);
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::Resource, context + ": the system has no memory");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::Resource, context + ": " + error.what());
  }
}

void RowGroupReader::load(size_t column, Batch& batch) {
  if (batch.columns[column]) return;
  try {
    batch.columns[column] = read_column(column, batch.num_rows);
  } catch (...) {
    rethrow(column);
  }
}

/// Says whether rows or errors are left.
bool RowGroupReader::filter(Batch& batch) {
  for (ScanFilter* filter : filters_) {
    for (const int input : filter->program->inputs()) load(static_cast<size_t>(input), batch);
    batch = filter->evaluator.filter(std::move(batch));
    if (batch.num_selected() == 0 && batch.errors.empty()) return false;
  }
  return filter_by_keys(batch);
}

bool RowGroupReader::filter_by_keys(Batch& batch) {
  for (size_t i = 0; i < key_filters_.size(); ++i) {
    const size_t column = key_filters_.column(i);
    if (!key_filters_.is_active(i)) continue;
    load(column, batch);
    key_filters_.apply(i, batch);
    if (batch.num_selected() == 0 && batch.errors.empty()) return false;
  }
  return true;
}

/// Reads what filters did not need, and drops what only they needed.
void RowGroupReader::load_rest(Batch& batch) {
  fetch(false);
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    if (spec_.columns[i].filter_only) {
      batch.columns[i] = nullptr;
    } else {
      load(i, batch);
    }
  }
}

/// Tells the readers of columns that were not read of the rows that were passed.
void RowGroupReader::pass_over(const Batch& batch) {
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (readers_[i] && !batch.columns[i]) readers_[i]->skip(batch.num_rows);
  }
}

std::optional<Batch> RowGroupReader::next() {
  if (position_ == 0 && !at_end()) fetch(true);
  const int64_t batch_rows = ctx_.batch_rows > 0 ? ctx_.batch_rows : kDefaultBatchRows;
  while (!at_end()) {
    ctx_.cancellation->check();
    Batch batch;
    batch.num_rows = std::min(batch_rows, num_rows_ - position_);
    batch.columns.resize(spec_.columns.size());
    const bool has_rows = filter(batch);
    if (has_rows) {
      load_rest(batch);
    } else {
      pass_over(batch);
    }
    position_ += batch.num_rows;
    if (has_rows) return batch;
  }
  return std::nullopt;
}

Batch RowGroupReader::empty_batch() const {
  Batch batch;
  for (const ScanColumn& column : spec_.columns) {
    batch.columns.push_back(column.filter_only ? nullptr : Column::nulls(column.type, 0, ctx_.budget));
  }
  return batch;
}

}  // namespace accelerant::io
