#include "operators/spilled_groups.h"

#include "columns/gather.h"
#include "operators/row_slices.h"
#include "spill/block_format.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;
using memory::Buffer;

namespace {

bool overlap(const KeyRange& a, const KeyRange& b) { return a.begin < b.end && b.begin < a.end; }

/// Tables that grow move what they have: where this share of all groups was read, and this share of it had keys of
/// their own, it is known how many there will be.
constexpr int64_t kJudgedPart = 8;
constexpr int64_t kJudgedGroups = 10;
constexpr int64_t kLeastNewGroups = 9;
/// Of a block that reaches beyond a range, so much more than its share may lie in it.
constexpr int64_t kScatterPart = 32;

}  // namespace

SpilledGroups::SpilledGroups(std::shared_ptr<const plan::Aggregate> node) : node_(std::move(node)) {}

void SpilledGroups::write(std::span<const GroupSet* const> sets, const To& to, const execution::OperatorContext& ctx,
                          int64_t memory_bytes) {
  add(spill::BlockWriter::with_writer(to.target, to.writer, ctx.budget, [&] { return write_blocks(sets, to, ctx); }),
      memory_bytes);
}

void SpilledGroups::write(std::span<const StateRows> rows, const To& to, const execution::OperatorContext& ctx,
                          int64_t memory_bytes) {
  add(spill::BlockWriter::with_writer(to.target, to.writer, ctx.budget, [&] { return write_blocks(rows, to, ctx); }),
      memory_bytes);
}

void SpilledGroups::add(std::vector<Block> blocks, int64_t memory_bytes) {
  const std::lock_guard lock(mutex_);
  for (Block& block : blocks) blocks_[static_cast<size_t>(block.partition())].push_back(std::move(block));
  memory_bytes_ += memory_bytes;
}

std::vector<SpilledGroups::Block> SpilledGroups::write_blocks(std::span<const GroupSet* const> sets, const To& to,
                                                              const execution::OperatorContext& ctx) {
  std::vector<Block> blocks;
  for (const GroupSet* set : sets) {
    const SlicedGroups sliced(*set, ctx.budget);
    for (int partition = 0; partition < GroupSlices::kPartitions; ++partition) {
      write(*set, sliced, partition, ctx, to, blocks);
    }
  }
  place(blocks, *to.writer);
  return blocks;
}

std::vector<SpilledGroups::Block> SpilledGroups::write_blocks(std::span<const StateRows> rows, const To& to,
                                                              const execution::OperatorContext& ctx) {
  std::vector<SlicedRows> sliced;
  sliced.reserve(rows.size());
  for (const StateRows& some : rows) {
    const auto hash_at = [&some](int64_t row) { return some.hashes[row]; };
    sliced.emplace_back(some.columns, some.num_rows, hash_at, ctx.budget);
  }
  note_columns(rows.front().columns, rows.front().num_states);
  std::vector<Block> blocks;
  for (const RowsOfSlices& part : part_rows(sliced, to.block_groups)) {
    ctx.cancellation->check();
    std::vector<ColumnPtr> columns;
    for (size_t i = 0; i < rows.front().columns.size(); ++i) columns.push_back(part.column(i, ctx.budget));
    to.writer->add(columns);
    blocks.push_back({{}, KeyRange::of_slices(part.first_slice(), part.end_slice()), part.num_rows()});
  }
  place(blocks, *to.writer);
  return blocks;
}

void SpilledGroups::place(std::vector<Block>& blocks, spill::BlockWriter& writer) {
  const std::vector<spill::BlockExtent> places = writer.finish();
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i].stored = {writer.file(), places[i]};
}

void SpilledGroups::write(const GroupSet& set, const SlicedGroups& sliced, int partition,
                          const execution::OperatorContext& ctx, const To& to, std::vector<Block>& blocks) {
  int first = partition * GroupSlices::kOfPartition;
  const int end = first + GroupSlices::kOfPartition;
  const int32_t num_groups = sliced.count(first, end);
  if (num_groups == 0) return;
  // To choose groups, what holds rows looks at all of these.
  if (holds_rows(*node_) && num_groups < set.num_groups()) {
    const GroupSet of_partition = set.chosen(sliced.of(first, end), *node_, ctx, false);
    return write(of_partition, SlicedGroups(of_partition, ctx.budget), partition, ctx, to, blocks);
  }
  while (first < end) {
    int last = first + 1;
    while (last < end && sliced.count(first, last + 1) <= to.block_groups) ++last;
    for (std::span<const int32_t> groups = sliced.of(first, last); !groups.empty();) {
      ctx.cancellation->check();
      const auto some = groups.first(std::min(groups.size(), static_cast<size_t>(to.block_groups)));
      blocks.push_back({{}, KeyRange::of_slices(first, last), static_cast<int64_t>(some.size())});
      to.writer->add(columns_of(set.chosen(some, *node_, ctx, false), ctx));
      groups = groups.subspan(some.size());
    }
    first = last;
  }
}

std::vector<ColumnPtr> SpilledGroups::columns_of(GroupSet set, const execution::OperatorContext& ctx) {
  set.seal();
  std::vector<std::string_view> keys;
  for (int32_t group = 1; group <= set.num_groups(); ++group) keys.push_back(set.table.key(group));
  std::vector<ColumnPtr> columns = KeyEncoder(node_->key_types(), ctx.budget).decode(keys);
  std::vector<size_t> num_states;
  for (auto& accumulator : set.accumulators) {
    const std::vector<ColumnPtr> states = accumulator->states(1, set.num_groups());
    accumulator.reset();
    num_states.push_back(states.size());
    columns.insert(columns.end(), states.begin(), states.end());
  }
  note_columns(columns, std::move(num_states));
  return columns;
}

void SpilledGroups::note_columns(const std::vector<ColumnPtr>& columns, std::vector<size_t> num_states) {
  const std::lock_guard lock(mutex_);
  if (!types_.empty()) return;
  for (const ColumnPtr& column : columns) types_.push_back(column->type());
  num_states_ = std::move(num_states);
}

SpilledGroupsReader::SpilledGroupsReader(const SpilledGroups& groups, int partition, const KeyRange& keys,
                                         bool may_expect_new, const execution::OperatorContext& ctx,
                                         spill::IoThreads& threads)
    : groups_(groups),
      keys_(keys),
      ctx_(ctx),
      encoder_(groups.node_->key_types(), ctx.budget),
      set_(*groups.node_, encoder_.key_bytes(), ctx),
      may_expect_new_(may_expect_new),
      reader_(choose_blocks(partition), ctx.budget, threads) {
  set_.table.expect_new_keys();
}

std::vector<spill::StoredBlock> SpilledGroupsReader::choose_blocks(int partition) {
  std::vector<spill::StoredBlock> stored;
  for (const SpilledGroups::Block& block : groups_.blocks_[static_cast<size_t>(partition)]) {
    if (!overlap(block.keys, keys_)) continue;
    blocks_.push_back(&block);
    stored.push_back(block.stored);
    const KeyRange both{std::max(block.keys.begin, keys_.begin), std::min(block.keys.end, keys_.end)};
    const int64_t in_range = block.num_groups * both.width() / block.keys.width();
    expected_groups_ += std::min(in_range + in_range / kScatterPart, block.num_groups);
  }
  return stored;
}

execution::EventPtr SpilledGroupsReader::read() {
  for (; next_ < blocks_.size(); ++next_) {
    ctx_.cancellation->check();
    if (execution::EventPtr block = reader_.start_front()) return block;
    merge(*blocks_[next_], reader_.front());
    reader_.pop_front();
  }
  return nullptr;
}

void SpilledGroupsReader::expect_groups() {
  if (!may_expect_new_ || num_merged_ * kJudgedPart < expected_groups_) return;
  const int64_t num_groups = set_.table.num_groups() - 1;
  if (num_groups * kJudgedGroups >= num_merged_ * kLeastNewGroups) set_.table.reserve(expected_groups_);
  may_expect_new_ = false;
}

GroupSet SpilledGroupsReader::take() {
  set_.seal();
  return std::move(set_);
}

void SpilledGroupsReader::merge(const SpilledGroups::Block& block, const std::shared_ptr<Buffer>& bytes) {
  std::vector<ColumnPtr> columns = spill::decode_columns(bytes, groups_.types_);
  const size_t num_keys = groups_.node_->keys.size();
  encoder_.encode(std::span(columns).first(num_keys), block.num_groups);
  memory::Array<int32_t> rows(ctx_.budget);
  memory::Array<uint64_t> hashes(ctx_.budget);
  rows.resize(block.num_groups);
  hashes.resize(block.num_groups);
  int64_t num_rows = 0;
  // Without a branch, as nothing foretells which ones are in the range: those that are not are written over.
  for (int64_t row = 0; row < block.num_groups; ++row) {
    hashes[num_rows] = GroupTable::hash(encoder_.key(row));
    rows[num_rows] = static_cast<int32_t>(row);
    num_rows += keys_.has(hashes[num_rows]);
  }
  rows.resize(num_rows);
  memory::Array<int32_t> groups(ctx_.budget);
  groups.resize(rows.size());
  set_.table.fetch_ahead(
      rows.size(), [&](int64_t i) { return hashes[i]; },
      [&](int64_t i, uint64_t hash) { groups[i] = set_.table.find_or_insert(encoder_.key(rows[i]), hash); });
  num_merged_ += rows.size();
  expect_groups();
  set_.resize();
  std::span<ColumnPtr> left = std::span(columns).subspan(num_keys);
  for (size_t call = 0; call < set_.accumulators.size(); ++call) {
    const std::span<ColumnPtr> states = left.first(groups_.num_states_[call]);
    if (rows.size() < block.num_groups) {
      for (ColumnPtr& column : states) column = columns::gather(*column, rows.span(), ctx_.budget);
    }
    set_.accumulators[call]->merge_states(states, groups.span());
    left = left.subspan(states.size());
  }
}

}  // namespace accelerant::operators
