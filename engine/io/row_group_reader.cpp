#include "io/row_group_reader.h"

#include "base/bits.h"
#include "base/error.h"
#include "columns/refer.h"
#include "io/batch_rows.h"
#include "io/encoded_chunk.h"
#include "io/file_errors.h"
#include "io/most_batch_rows.h"
#include "io/nested_column.h"
#include "io/nested_reader.h"
#include "io/page_index.h"
#include "io/read_sizes.h"
#include "memory/budget.h"
#include "memory/memory_wait.h"
#include "types/string_view.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

/// Where one of so many rows is left, or fewer, the others are not decoded.
constexpr int64_t kFewSurvivors = 4;

/// A chunk to be fetched, and from where.
struct Fetch {
  ChunkSource* chunk;
  ChunkRange range;

  int64_t end() const { return range.offset + range.num_bytes; }
};

}  // namespace

RowGroupReader::RowGroupReader(const ScanSpec& spec, RowGroupTask task, ScanState& state,
                               const execution::OperatorContext& ctx)
    : spec_(spec),
      task_(std::move(task)),
      state_(state),
      ctx_(ctx),
      pruning_(spec_, task_, state_.key_filters, ctx_),
      wanted_(task_.num_rows()),
      readers_(spec.columns.size()),
      num_rows_(task_.num_rows()),
      batch_rows_(rows_at_a_time(*task_.file, task_.row_group, most_batch_rows(ctx_))) {
  filters_ = pruning_.decide(state_.filters, wanted_);
  move_to_wanted_row();
}

RowGroupReader::~RowGroupReader() = default;

/// Says whether a column is read to find out which rows are wanted.
bool RowGroupReader::is_filtered(size_t column) const {
  for (size_t i = 0; i < state_.key_filters.size(); ++i) {
    if (state_.key_filters.column(i) == column && state_.key_filters.is_active(i)) return true;
  }
  return std::any_of(filters_.begin(), filters_.end(),
                     [&](const ScanFilter* f) { return needs_column(*f->program, column); });
}

void RowGroupReader::open() {
  if (local_) return;
  local_.emplace(task_.file->uri);
  if (!(local_->identity() == task_.file->identity)) {
    throw_unsupported("the file " + task_.file->uri + " changed while it was being read");
  }
}

/// Leaves out, once, what the file shows to be of no use.
void RowGroupReader::prune() {
  if (is_pruned_) return;
  prune_by_indexes();
  prune_by_dictionaries();
  is_pruned_ = true;
}

/// Leaves out what the file's indexes show to be of no use; they are read only where a filter asks for them.
void RowGroupReader::prune_by_indexes() {
  if (at_end() || (filters_.empty() && state_.key_filters.size() == 0)) return;
  if (!state_.page_indexes.is_worthwhile()) return;
  open();
  pruning_.prune_by_indexes(filters_, *local_, wanted_);
  state_.page_indexes.note(num_rows_, num_rows_ - wanted_.count());
  move_to_wanted_row();
}

/// Leaves out the row group where filters want no value of a column's dictionary.
void RowGroupReader::prune_by_dictionaries() {
  if (at_end() || filters_.empty() || !state_.dictionaries.is_worthwhile()) return;
  open();
  pruning_.prune_by_dictionaries(filters_, *local_, state_.dictionaries, wanted_);
  move_to_wanted_row();
}

/// Reads the bytes of all columns that filters need, or of all others.
void RowGroupReader::fetch(bool for_filters) {
  std::vector<ColumnChunks> fetched;
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    if (readers_[i] || task_.file->columns[i].is_missing()) continue;
    if (for_filters ? is_filtered(i) : !spec_.columns[i].filter_only) fetched.push_back(chunks_of(i));
  }
  if (fetched.empty()) return;
  open();
  std::vector<ChunkSource*> whole;
  for (ColumnChunks& column : fetched) {
    for (ChunkSource& chunk : column.chunks) {
      if (!fetch_wanted_pages(chunk)) whole.push_back(&chunk);
    }
  }
  fetch_together(whole, Buffer::allocate);
  for (ColumnChunks& column : fetched) start_column(std::move(column));
}

/// Reads whole chunks, near ones at once.
void RowGroupReader::fetch_together(std::span<ChunkSource* const> chunks, const memory::AllocateBuffer& allocate) {
  std::vector<Fetch> wanted;
  for (ChunkSource* chunk : chunks) {
    wanted.push_back({chunk, locate_chunk(*task_.file, task_.row_group, *chunk->column)});
  }
  std::sort(wanted.begin(), wanted.end(),
            [](const Fetch& a, const Fetch& b) { return a.range.offset < b.range.offset; });
  for (size_t first = 0, last; first < wanted.size(); first = last) {
    int64_t end = wanted[first].end();
    for (last = first + 1; last < wanted.size() && wanted[last].range.offset <= end + kMaxGapBytes; ++last) {
      end = std::max(end, wanted[last].end());
    }
    const int64_t start = wanted[first].range.offset;
    const auto bytes = allocate(end - start, ctx_.budget);
    local_->read(start, end - start, bytes->mutable_data());
    for (size_t i = first; i < last; ++i) {
      wanted[i].chunk->bytes = bytes;
      wanted[i].chunk->offset = wanted[i].range.offset - start;
      wanted[i].chunk->num_bytes = wanted[i].range.num_bytes;
    }
  }
}

/// Reads the pages of a chunk that have wanted rows, with what lies before the first page, and returns true; false
/// where that is all of them, or the file does not say where they lie.
bool RowGroupReader::fetch_wanted_pages(ChunkSource& chunk) {
  if (wanted_.next(0) == RowRange{0, num_rows_}) return false;
  const auto pages = read_page_spans({*task_.file, *local_, task_.row_group, *chunk.column}, ctx_.budget);
  if (pages.empty()) return false;
  const ChunkRange whole = locate_chunk(*task_.file, task_.row_group, *chunk.column);
  std::vector<ChunkRange> pieces = {{whole.offset, pages[0].offset - whole.offset}};
  for (const PageSpan& page : pages) {
    const bool is_wanted = wanted_.meets(page.rows);
    if (!is_wanted) chunk.gaps.push_back(page.rows);
    if (is_wanted) pieces.push_back({page.offset, page.num_bytes});
  }
  if (chunk.gaps.empty()) return false;
  for (const ChunkRange& piece : pieces) chunk.num_bytes += piece.num_bytes;
  auto bytes = Buffer::allocate(chunk.num_bytes, ctx_.budget);
  uint8_t* to = bytes->mutable_data();
  for (const ChunkRange& piece : pieces) {
    local_->read(piece.offset, piece.num_bytes, to);
    to += piece.num_bytes;
  }
  chunk.bytes = std::move(bytes);
  return true;
}

/// Describes the chunks of a column, without their bytes.
RowGroupReader::ColumnChunks RowGroupReader::chunks_of(size_t column) const {
  ColumnChunks described{column, {}};
  for (const FileColumn* stored : stored_columns(task_.file->columns[column])) {
    described.chunks.push_back(source_of(*stored));
  }
  return described;
}

/// Describes the chunk of a column or a leaf, without its bytes.
ChunkSource RowGroupReader::source_of(const FileColumn& column) const {
  const parquet::FileMetaData& metadata = *task_.file->metadata;
  const bool always_compressed =
      metadata.writer_version().VersionLt(parquet::ApplicationVersion::PARQUET_CPP_10353_FIXED_VERSION());
  const auto chunk = metadata.RowGroup(task_.row_group)->ColumnChunk(column.leaf);
  return {&column, nullptr, 0, 0, num_rows_, chunk->compression(), always_compressed, {}, chunk->num_values()};
}

/// Makes the reader of a column whose bytes were fetched.
void RowGroupReader::start_column(ColumnChunks chunks) {
  const FileColumn& source = task_.file->columns[chunks.column];
  if (ctx_.metrics) {
    for (const ChunkSource& chunk : chunks.chunks) ctx_.metrics->input_bytes += chunk.num_bytes;
  }
  auto& reader = readers_[chunks.column];
  if (source.is_nested()) {
    reader = std::make_unique<NestedReader>(source, std::move(chunks.chunks), ctx_.budget);
  } else {
    reader = std::make_unique<ChunkReader>(std::move(chunks.chunks[0]), ctx_.budget);
  }
  reader->skip(position_);
}

/// Returns the places in the file of rows from `first` of the row group on, or of those that are left of them.
ColumnPtr RowGroupReader::read_row_indexes(const types::DataType& type, int64_t first, int64_t num_rows) const {
  for (int group = 0; group < task_.row_group; ++group) {
    first += task_.file->row_groups[static_cast<size_t>(group)].num_rows;
  }
  columns::FlatBuilder indexes(type, type.physical(), num_rows, ctx_.budget);
  auto* values = indexes.values<int64_t>();
  for (int64_t i = 0; i < num_rows; ++i) values[i] = first + (survivors_ ? (*survivors_)[static_cast<size_t>(i)] : i);
  return indexes.finish();
}

ColumnPtr RowGroupReader::read_column(size_t column, int64_t num_rows) {
  const int partition_index = spec_.columns[column].partition_index;
  if (partition_index >= 0) {
    return Column::constant(task_.split->partition_values[static_cast<size_t>(partition_index)], num_rows);
  }
  const types::DataType& type = spec_.columns[column].type;
  if (task_.file->columns[column].is_row_index) return read_row_indexes(type, position_, num_rows);
  if (task_.file->columns[column].is_missing()) return Column::nulls(type, num_rows, ctx_.budget);
  return survivors_ ? readers_[column]->read_at(*survivors_, span_) : readers_[column]->read(num_rows);
}

/// Turns whatever a decoder or a codec throws into an error that names file and column.
void RowGroupReader::rethrow(size_t column) const {
  const std::string context = "can't read column " + spec_.columns[column].name + " of " + task_.file->uri;
  try {
    throw;
  } catch (const memory::MemoryWait&) {
    throw;
  } catch (Error& error) {
    error.with_context(context);
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::Resource, context + ": the system has no memory").with_class(memory::kOutOfBudget);
  } catch (const std::exception& error) {
    throw unread_file(task_.file->uri, context + ": " + error.what());
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

/// Where few rows are left, takes them out of the columns read so far, so that of others only these rows are decoded.
void RowGroupReader::keep_survivors(Batch& batch) {
  if (!batch.errors.empty() || batch.num_selected() > batch.num_rows / kFewSurvivors) return;
  const auto rows = std::make_shared<std::vector<int32_t>>(*batch.selection);
  for (ColumnPtr& column : batch.columns) {
    if (column) column = columns::refer(*column, *batch.selection, ctx_.budget);
  }
  if (survivors_) {
    for (int32_t& row : *rows) row = (*survivors_)[static_cast<size_t>(row)];
  }
  survivors_ = rows;
  batch.num_rows = static_cast<int64_t>(rows->size());
  batch.selection = nullptr;
}

/// Says whether rows or errors are left.
bool RowGroupReader::filter(Batch& batch) {
  for (ScanFilter* filter : filters_) {
    for (const int input : filter->program->inputs()) load(static_cast<size_t>(input), batch);
    batch = filter->evaluator.filter(std::move(batch));
    if (batch.num_selected() == 0 && batch.errors.empty()) return false;
    keep_survivors(batch);
  }
  return filter_by_keys(batch);
}

bool RowGroupReader::filter_by_keys(Batch& batch) {
  for (size_t i = 0; i < state_.key_filters.size(); ++i) {
    const size_t column = state_.key_filters.column(i);
    if (!state_.key_filters.is_active(i)) continue;
    load(column, batch);
    state_.key_filters.apply(i, batch);
    if (batch.num_selected() == 0 && batch.errors.empty()) return false;
    keep_survivors(batch);
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
    if (readers_[i] && !batch.columns[i]) readers_[i]->skip(span_);
  }
}

/// Passes over rows up to the next that is wanted.
void RowGroupReader::move_to_wanted_row() {
  const int64_t row = wanted_.next(position_).first;
  for (const auto& reader : readers_) {
    if (reader) reader->skip(row - position_);
  }
  position_ = row;
}

std::optional<Batch> RowGroupReader::next() {
  try {
    return read_next();
  } catch (const memory::MemoryWait&) {
    let_go();
    throw;
  } catch (const Error&) {
    leave_file_to_spark(task_.file->uri);
  }
}

void RowGroupReader::let_go() {
  for (auto& reader : readers_) reader.reset();
  is_started_ = false;
}

std::optional<Batch> RowGroupReader::read_next() {
  if (!is_started_) {
    prune();
    if (!at_end()) fetch(true);
    is_started_ = true;
  }
  while (!at_end()) {
    ctx_.cancellation->check();
    Batch batch;
    span_ = std::min(batch_rows_, wanted_.next(position_).end - position_);
    survivors_ = nullptr;
    batch.num_rows = span_;
    batch.columns.resize(spec_.columns.size());
    const bool has_rows = filter(batch);
    if (has_rows) {
      load_rest(batch);
    } else {
      pass_over(batch);
    }
    position_ += span_;
    move_to_wanted_row();
    if (has_rows) return batch;
  }
  return std::nullopt;
}

/// Reads the whole chunks of all columns, none of them nested; those that the host has to decompress or decode, to
/// memory of its own.
void RowGroupReader::fetch_whole(const memory::AllocateBuffer& allocate) {
  std::vector<ColumnChunks> fetched;
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    if (!task_.file->columns[i].is_missing()) fetched.push_back(chunks_of(i));
  }
  std::vector<ChunkSource*> for_device;
  std::vector<ChunkSource*> for_host;
  for (ColumnChunks& column : fetched) {
    ChunkSource& chunk = column.chunks[0];
    (is_decoded_as_stored(chunk) ? for_device : for_host).push_back(&chunk);
  }
  if (!fetched.empty()) open();
  fetch_together(for_device, allocate);
  fetch_together(for_host, Buffer::allocate);
  for (ColumnChunks& column : fetched) start_column(std::move(column));
}

/// Returns a column that has no chunk, of all rows. Strings that are all the same become codes, as those of files
/// mostly are: there are kernels that group by codes alone.
ColumnPtr RowGroupReader::read_constant(size_t column) {
  if (spec_.columns[column].is_row_index) return read_row_indexes(spec_.columns[column].type, 0, num_rows_);
  ColumnPtr constant = read_column(column, num_rows_);
  if (constant->physical() != types::PhysicalType::String) return constant;
  const auto codes = Buffer::allocate_zeroed(num_rows_ * static_cast<int64_t>(sizeof(int32_t)), ctx_.budget);
  if (!constant->is_null(0)) return Column::dictionary(constant->child_values(), codes, num_rows_);
  columns::FlatBuilder empty(constant->type(), constant->physical(), 1, ctx_.budget);
  *empty.values<types::StringView>() = types::inline_view({"", 0});
  const auto no_values = Buffer::allocate_zeroed(bits::bytes_for(num_rows_), ctx_.budget);
  return Column::dictionary(empty.finish(), codes, num_rows_, no_values);
}

device::EncodedBatch RowGroupReader::read_encoded(const memory::AllocateBuffer& allocate) {
  prune();
  device::EncodedBatch batch;
  if (at_end()) return batch;
  batch.num_rows = num_rows_;
  if (num_rows_ >= std::numeric_limits<int32_t>::max()) return batch;
  if (std::ranges::any_of(task_.file->columns, &FileColumn::is_nested)) return batch;
  try {
    fetch_whole(allocate);
    for (size_t i = 0; i < spec_.columns.size(); ++i) {
      if (readers_[i]) {
        batch.columns.push_back(encode_chunk(*readers_[i]->chunk(), allocate, ctx_.budget));
      } else {
        batch.columns.push_back({.type = spec_.columns[i].type, .decoded = read_constant(i)});
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource && error.kind() != ErrorKind::Unsupported) throw;
    batch.columns.clear();
    let_go();
  } catch (const memory::MemoryWait&) {
    let_go();
    throw;
  }
  return batch;
}

Batch RowGroupReader::empty_batch() const {
  Batch batch;
  for (const ScanColumn& column : spec_.columns) {
    batch.columns.push_back(column.filter_only ? nullptr : Column::nulls(column.type, 0, ctx_.budget));
  }
  return batch;
}

}  // namespace accelerant::io
