#include "operators/spilled_join_rows.h"

#include "columns/gather.h"
#include "operators/join_build.h"
#include "spill/block_format.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

/// Of what stands for rows of which no column is read.
const types::DataType kRowType(types::TypeId::Byte);

/// The rows of a chunk, slice by slice.
class SlicedRows {
 public:
  SlicedRows(const HashedRows& held, const std::shared_ptr<memory::Budget>& budget) : held_(held), rows_(budget) {
    const int64_t num_rows = held.rows.num_rows;
    for (int64_t row = 0; row < num_rows; ++row) ++starts_[slice_of(row) + 1];
    for (size_t slice = 0; slice < GroupSlices::kCount; ++slice) starts_[slice + 1] += starts_[slice];
    rows_.resize(num_rows);
    std::array<int32_t, GroupSlices::kCount + 1> next = starts_;
    for (int64_t row = 0; row < num_rows; ++row) rows_[next[slice_of(row)]++] = static_cast<int32_t>(row);
  }

  const HashedRows& held() const { return held_; }
  /// Returns the rows of slices [first, last).
  std::span<const int32_t> of(int first, int last) const {
    const int32_t start = starts_[static_cast<size_t>(first)];
    return rows_.span().subspan(static_cast<size_t>(start),
                                static_cast<size_t>(starts_[static_cast<size_t>(last)] - start));
  }

 private:
  size_t slice_of(int64_t row) const { return static_cast<size_t>(GroupSlices::slice_of(held_.hash(row))); }

  const HashedRows& held_;
  std::array<int32_t, GroupSlices::kCount + 1> starts_{};
  memory::Array<int32_t> rows_;
};

/// Some rows of a chunk.
struct Piece {
  const HashedRows* held;
  std::span<const int32_t> rows;
};

int64_t rows_of(std::span<const Piece> pieces) {
  int64_t num_rows = 0;
  for (const Piece& piece : pieces) num_rows += static_cast<int64_t>(piece.rows.size());
  return num_rows;
}

ColumnPtr column_of(std::span<const Piece> pieces, size_t index, const std::shared_ptr<memory::Budget>& budget) {
  std::vector<ColumnPtr> parts;
  for (const Piece& piece : pieces) {
    parts.push_back(columns::gather(*piece.held->rows.columns[index], piece.rows, budget));
  }
  return parts.size() == 1 ? parts.front() : columns::concatenate(parts, budget);
}

int64_t count(std::span<const SlicedRows> sliced, int first, int last) {
  size_t num_rows = 0;
  for (const SlicedRows& held : sliced) num_rows += held.of(first, last).size();
  return static_cast<int64_t>(num_rows);
}

/// Returns the end of the slices from `first` on that have a block together: of one partition, and as many as fit.
int end_of_block(std::span<const SlicedRows> sliced, int first, int64_t block_rows) {
  const int end_of_partition = (first / GroupSlices::kOfPartition + 1) * GroupSlices::kOfPartition;
  int last = first + 1;
  for (int64_t num_rows = count(sliced, first, last); last < end_of_partition; ++last) {
    num_rows += count(sliced, last, last + 1);
    if (num_rows > block_rows) break;
  }
  return last;
}

/// Cuts the rows of slices [first, last) into blocks.
std::vector<std::vector<Piece>> cut(std::span<const SlicedRows> sliced, int first, int last, int64_t block_rows) {
  std::vector<std::vector<Piece>> blocks;
  int64_t room = 0;
  for (const SlicedRows& held : sliced) {
    for (std::span<const int32_t> left = held.of(first, last); !left.empty();) {
      if (room == 0) {
        blocks.emplace_back();
        room = block_rows;
      }
      const auto some = left.first(std::min(left.size(), static_cast<size_t>(room)));
      blocks.back().push_back({&held.held(), some});
      left = left.subspan(some.size());
      room -= static_cast<int64_t>(some.size());
    }
  }
  return blocks;
}

std::vector<spill::StoredBlock> stored_of(std::span<const SpilledJoinRows::Block* const> blocks) {
  std::vector<spill::StoredBlock> found;
  for (const SpilledJoinRows::Block* block : blocks) found.push_back(block->stored);
  return found;
}

}  // namespace

SpilledJoinRows::SpilledJoinRows(std::shared_ptr<const plan::Join> node, JoinSide side)
    : node_(std::move(node)),
      side_(side),
      read_(node_->columns_read_of((side == JoinSide::Build) == node_->builds_left ? 0 : 1)) {
  for (size_t i = 0; i < read_.size(); ++i) {
    if (read_[i]) types_.push_back(columns()[i].type);
  }
  if (types_.empty()) types_.push_back(kRowType);
}

void SpilledJoinRows::write(std::span<const HashedRows> rows, spill::SpillTarget& target,
                            std::unique_ptr<spill::BlockWriter>& writer, const execution::OperatorContext& ctx,
                            int64_t block_rows) {
  std::vector<Block> written = spill::BlockWriter::with_folders(target, [&] {
    if (!writer) writer = std::make_unique<spill::BlockWriter>(target, ctx.budget);
    try {
      return write_blocks(rows, *writer, ctx, block_rows);
    } catch (...) {
      // Blocks before these keep the file.
      writer.reset();
      throw;
    }
  });
  const std::lock_guard lock(mutex_);
  for (Block& block : written) {
    Partition& partition = partitions_[static_cast<size_t>(block.keys.begin / KeyRange::kOfPartition)];
    partition.num_rows += block.num_rows;
    partition.num_bytes += block.stored.place.num_bytes;
    partition.blocks.push_back(std::move(block));
  }
}

std::vector<SpilledJoinRows::Block> SpilledJoinRows::write_blocks(std::span<const HashedRows> rows,
                                                                  spill::BlockWriter& writer,
                                                                  const execution::OperatorContext& ctx,
                                                                  int64_t block_rows) const {
  std::vector<SlicedRows> sliced;
  sliced.reserve(rows.size());
  for (const HashedRows& held : rows) sliced.emplace_back(held, ctx.budget);
  std::vector<Block> blocks;
  for (int first = 0; first < GroupSlices::kCount;) {
    const int last = end_of_block(sliced, first, block_rows);
    const KeyRange keys{first * KeyRange::kOfSlice, last * KeyRange::kOfSlice};
    for (const std::vector<Piece>& pieces : cut(sliced, first, last, block_rows)) {
      ctx.cancellation->check();
      std::vector<ColumnPtr> columns;
      for (size_t i = 0; i < read_.size(); ++i) {
        if (read_[i]) columns.push_back(column_of(pieces, i, ctx.budget));
      }
      if (columns.empty()) columns.push_back(columns::Column::nulls(kRowType, rows_of(pieces), ctx.budget));
      writer.add(columns);
      blocks.push_back({{writer.file(), {}}, keys, rows_of(pieces)});
    }
    first = last;
  }
  const std::vector<spill::BlockExtent> places = writer.finish();
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i].stored.place = places[i];
  return blocks;
}

std::vector<const SpilledJoinRows::Block*> SpilledJoinRows::blocks(const KeyRange& keys) const {
  std::vector<const Block*> found;
  for (const Block& block : partitions_[static_cast<size_t>(keys.begin / KeyRange::kOfPartition)].blocks) {
    if (block.keys.begin < keys.end && keys.begin < block.keys.end) found.push_back(&block);
  }
  return found;
}

Batch SpilledJoinRows::decode(const Block& block, const std::shared_ptr<memory::Buffer>& bytes,
                              const std::shared_ptr<memory::Budget>& budget) const {
  const std::vector<ColumnPtr> stored = spill::decode_columns(bytes, types_);
  Batch batch;
  batch.num_rows = block.num_rows;
  size_t next = 0;
  for (size_t i = 0; i < read_.size(); ++i) {
    batch.columns.push_back(read_[i] ? stored[next++]
                                     : columns::Column::nulls(columns()[i].type, block.num_rows, budget));
  }
  return batch;
}

SpilledJoinReader::SpilledJoinReader(const SpilledJoinRows& rows, std::span<const SpilledJoinRows::Block* const> blocks,
                                     const KeyRange& range, const execution::OperatorContext& ctx,
                                     spill::IoThreads& threads)
    : rows_(rows),
      blocks_(blocks.begin(), blocks.end()),
      range_(range),
      ctx_(ctx),
      keys_(key_types_of(rows.node()), ctx.budget),
      reader_(stored_of(blocks), ctx.budget, threads) {}

std::optional<Batch> SpilledJoinReader::next() {
  ctx_.cancellation->check();
  const auto bytes = reader_.front();
  if (!bytes) return std::nullopt;
  const SpilledJoinRows::Block& block = *blocks_[next_];
  Batch rows = rows_.decode(block, bytes, ctx_.budget);
  if (!range_.has(block.keys)) rows = choose(rows);
  reader_.pop_front();
  ++next_;
  return rows;
}

Batch SpilledJoinReader::choose(const Batch& rows) {
  if (!evaluator_) evaluator_.emplace(rows_.keys(), ctx_.budget, ctx_.plan_node, ctx_.parameters);
  keys_.encode(evaluator_->project(rows).columns, rows.num_rows);
  memory::Array<int32_t> chosen(ctx_.budget);
  chosen.reserve(rows.num_rows);
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    if (range_.has(keys_.hash(row))) chosen.push_back(static_cast<int32_t>(row));
  }
  Batch found;
  found.num_rows = chosen.size();
  for (const ColumnPtr& column : rows.columns) {
    found.columns.push_back(columns::gather(*column, chosen.span(), ctx_.budget));
  }
  return found;
}

}  // namespace accelerant::operators
