#include "operators/spilled_join_rows.h"

#include "columns/gather.h"
#include "operators/join_build.h"
#include "operators/row_slices.h"
#include "spill/block_format.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

/// Of what stands for rows of which no column is read.
const types::DataType kRowType(types::TypeId::Byte);

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
  std::vector<Block> written = spill::BlockWriter::with_writer(
      target, writer, ctx.budget, [&] { return write_blocks(rows, *writer, ctx, block_rows); });
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
  for (const HashedRows& held : rows) {
    const auto hash_at = [&held](int64_t row) { return held.hash(row); };
    sliced.emplace_back(held.rows.columns, held.rows.num_rows, hash_at, ctx.budget);
  }
  std::vector<Block> blocks;
  for (const RowsOfSlices& part : part_rows(sliced, block_rows)) {
    ctx.cancellation->check();
    std::vector<ColumnPtr> columns;
    for (size_t i = 0; i < read_.size(); ++i) {
      if (read_[i]) columns.push_back(part.column(i, ctx.budget));
    }
    if (columns.empty()) columns.push_back(columns::Column::nulls(kRowType, part.num_rows(), ctx.budget));
    writer.add(columns);
    blocks.push_back({{writer.file(), {}}, KeyRange::of_slices(part.first_slice(), part.end_slice()), part.num_rows()});
  }
  const std::vector<spill::BlockExtent> places = writer.finish();
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i].stored.place = places[i];
  return blocks;
}

int64_t SpilledJoinRows::num_rows() const {
  return std::transform_reduce(partitions_.begin(), partitions_.end(), int64_t{0}, std::plus<>(),
                               [](const Partition& partition) { return partition.num_rows; });
}

int64_t SpilledJoinRows::num_bytes() const {
  return std::transform_reduce(partitions_.begin(), partitions_.end(), int64_t{0}, std::plus<>(),
                               [](const Partition& partition) { return partition.num_bytes; });
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
    ColumnPtr gathered = columns::gather(*column, chosen.span(), ctx_.budget);
    // It keeps no block for some of its strings.
    if (!gathered->heap().empty()) gathered = columns::copy_compact(*gathered, ctx_.budget);
    found.columns.push_back(std::move(gathered));
  }
  return found;
}

}  // namespace accelerant::operators
