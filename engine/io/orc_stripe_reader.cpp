#include "io/orc_stripe_reader.h"

#include "base/error.h"
#include "io/batch_rows.h"
#include "io/file_errors.h"
#include "io/most_batch_rows.h"
#include "memory/memory_wait.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;

namespace {

/// Returns how many values of a part of a field there are to a row, at most, as the file's footer has it.
int64_t values_a_row(const OrcField& field, const OrcMetadata& metadata) {
  if (field.is_missing() || metadata.statistics.empty()) return 1;
  const auto values = metadata.statistics[static_cast<size_t>(field.column)].num_values;
  int64_t most = values.value_or(0) / std::max<int64_t>(metadata.num_rows, 1);
  for (const OrcField& child : field.children) most = std::max(most, values_a_row(child, metadata));
  return most;
}

/// Returns how many rows to read at a time: fewer where lists are long.
int64_t stripe_rows_at_a_time(const OrcFile& file, int64_t most) {
  int64_t rows = most;
  for (const OrcField& field : file.columns) {
    rows = std::min(rows, kMostBatchEntries / std::max<int64_t>(values_a_row(field, file.metadata), 1));
  }
  return std::max<int64_t>(rows, 1);
}

/// Turns whatever is thrown while a file is read into an error that names it; Spark decides where it lies in the file.
[[noreturn]] void rethrow(const std::string& uri, const std::string& what) {
  const std::string context = "can't read " + what + " of " + uri;
  try {
    throw;
  } catch (const memory::MemoryWait&) {
    throw;
  } catch (Error& error) {
    error.with_context(context);
    leave_file_to_spark(uri);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::Resource, context + ": the system has no memory");
  } catch (const std::exception& error) {
    throw unread_file(uri, context + ": " + error.what());
  }
}

}  // namespace

OrcStripeReader::OrcStripeReader(const ScanSpec& spec, OrcTask task, OrcScanState& state,
                                 const execution::OperatorContext& ctx)
    : spec_(spec),
      task_(std::move(task)),
      state_(state),
      ctx_(ctx),
      readers_(spec.columns.size()),
      num_rows_(task_.num_rows()),
      batch_rows_(stripe_rows_at_a_time(*task_.file, most_batch_rows(ctx_))) {}

OrcStripeReader::~OrcStripeReader() = default;

bool OrcStripeReader::is_stored(size_t column) const { return !task_.file->columns[column].is_missing(); }

/// Says whether a column is read to find out which rows are wanted.
bool OrcStripeReader::is_filtered(size_t column) const {
  for (size_t i = 0; i < state_.key_filters.size(); ++i) {
    if (state_.key_filters.column(i) == column && state_.key_filters.is_active(i)) return true;
  }
  return std::ranges::any_of(state_.filters, [&](const ScanFilter& f) { return needs_column(*f.program, column); });
}

void OrcStripeReader::open() {
  if (data_) return;
  const OrcFile& file = *task_.file;
  local_.emplace(file.uri);
  if (!(local_->identity() == file.identity)) {
    throw_unsupported("the file " + file.uri + " changed while it was being read");
  }
  try {
    footer_ = read_orc_stripe_footer(*local_, file.metadata, file.metadata.stripes[task_.stripe], ctx_.budget);
  } catch (...) {
    rethrow(file.uri, "a stripe");
  }
  data_.emplace(file.metadata, footer_, ctx_.budget);
}

/// Reads the bytes of all columns that filters need, or of all others.
void OrcStripeReader::fetch(bool for_filters) {
  std::vector<size_t> fetched;
  std::vector<const OrcField*> fields;
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    if (readers_[i] || !is_stored(i)) continue;
    if (for_filters ? !is_filtered(i) : spec_.columns[i].filter_only) continue;
    fetched.push_back(i);
    fields.push_back(&task_.file->columns[i]);
  }
  if (fetched.empty()) return;
  open();
  const int64_t num_bytes = data_->fetch(*local_, fields);
  if (ctx_.metrics) ctx_.metrics->input_bytes += num_bytes;
  for (const size_t column : fetched) {
    try {
      auto reader = make_orc_reader(task_.file->columns[column], *data_, task_.file->times);
      reader->skip(position_);
      readers_[column] = std::move(reader);
    } catch (...) {
      rethrow(task_.file->uri, "column " + spec_.columns[column].name);
    }
  }
}

ColumnPtr OrcStripeReader::read_column(size_t column, int64_t num_rows) {
  const int partition_index = spec_.columns[column].partition_index;
  if (partition_index >= 0) {
    return Column::constant(task_.split->partition_values[static_cast<size_t>(partition_index)], num_rows);
  }
  if (!is_stored(column)) return Column::nulls(spec_.columns[column].type, num_rows, ctx_.budget);
  return readers_[column]->read(num_rows);
}

void OrcStripeReader::load(size_t column, Batch& batch) {
  if (batch.columns[column]) return;
  try {
    batch.columns[column] = read_column(column, batch.num_rows);
  } catch (...) {
    rethrow(task_.file->uri, "column " + spec_.columns[column].name);
  }
}

/// Says whether rows or errors are left.
bool OrcStripeReader::filter(Batch& batch) {
  const auto is_empty = [&batch] { return batch.num_selected() == 0 && batch.errors.empty(); };
  for (ScanFilter& filter : state_.filters) {
    for (const int input : filter.program->inputs()) load(static_cast<size_t>(input), batch);
    batch = filter.evaluator.filter(std::move(batch));
    if (is_empty()) return false;
  }
  for (size_t i = 0; i < state_.key_filters.size(); ++i) {
    if (!state_.key_filters.is_active(i)) continue;
    load(state_.key_filters.column(i), batch);
    state_.key_filters.apply(i, batch);
    if (is_empty()) return false;
  }
  return true;
}

/// Reads what filters did not need, and drops what only they needed.
void OrcStripeReader::load_rest(Batch& batch) {
  fetch(false);
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    if (spec_.columns[i].filter_only) {
      batch.columns[i] = nullptr;
    } else {
      load(i, batch);
    }
  }
}

/// Has the readers of columns that were not read pass over the rows that were.
void OrcStripeReader::pass_over(const Batch& batch) {
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (!readers_[i] || batch.columns[i]) continue;
    try {
      readers_[i]->skip(batch.num_rows);
    } catch (...) {
      rethrow(task_.file->uri, "column " + spec_.columns[i].name);
    }
  }
}

std::optional<Batch> OrcStripeReader::next() {
  try {
    return read_next();
  } catch (const memory::MemoryWait&) {
    let_go();
    throw;
  }
}

void OrcStripeReader::let_go() {
  for (auto& reader : readers_) reader.reset();
  data_.reset();
}

std::optional<Batch> OrcStripeReader::read_next() {
  while (!at_end()) {
    ctx_.cancellation->check();
    fetch(true);
    Batch batch;
    batch.num_rows = std::min(batch_rows_, num_rows_ - position_);
    batch.columns.resize(spec_.columns.size());
    const bool has_rows = filter(batch);
    if (has_rows) {
      load_rest(batch);
    } else {
      pass_over(batch);
    }
    position_ += std::min(batch_rows_, num_rows_ - position_);
    if (has_rows) return batch;
  }
  return std::nullopt;
}

Batch OrcStripeReader::empty_batch() const {
  Batch batch;
  for (const ScanColumn& column : spec_.columns) {
    batch.columns.push_back(column.filter_only ? nullptr : Column::nulls(column.type, 0, ctx_.budget));
  }
  return batch;
}

}  // namespace accelerant::io
