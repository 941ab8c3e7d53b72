#include "operators/spilled_run.h"

#include "base/error.h"
#include "columns/gather.h"
#include "memory/budget_ptr.h"
#include "spill/block_format.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;
using memory::BudgetPtr;
using memory::Buffer;

namespace {

ColumnPtr column_of_morsels(const std::vector<int64_t>& morsels, const BudgetPtr& budget) {
  columns::FlatBuilder builder(types::DataType(types::TypeId::Long), types::PhysicalType::Int64,
                               static_cast<int64_t>(morsels.size()), budget);
  std::ranges::copy(morsels, builder.values<int64_t>());
  return builder.finish();
}

/// Returns the spans of the keys of all runs.
KeySpans spans_of(const SpilledRuns& runs) {
  KeySpans spans;
  for (const SpilledRunPtr& run : runs) spans.add(run->key_spans());
  return spans;
}

}  // namespace

SpilledOrder::SpilledOrder(std::shared_ptr<const KeyOrder> keys, const SpilledRuns& runs)
    : keys_(std::move(keys)), packing_(*keys_, spans_of(runs)) {}

memory::BufferPtr SpilledOrder::words_of(const std::vector<ColumnPtr>& columns, int64_t num_rows,
                                         const BudgetPtr& budget) const {
  if (keys_->keys().empty()) return nullptr;
  const plan::SortKey& key = keys_->keys().front();
  const columns::Column& column = *columns[static_cast<size_t>(key.column)];
  if (column.type().is_nested()) return nullptr;
  auto words = Buffer::allocate(num_rows * static_cast<int64_t>(sizeof(uint64_t)), budget);
  if (packing_.num_keys() > 0) {
    packing_.pack(columns, 0, num_rows, words->mutable_as<uint64_t>());
  } else {
    write_key_words(column, key, words->mutable_as<uint64_t>());
  }
  return words;
}

int SpilledOrder::compare(const SpilledBlock& lhs, int64_t lhs_row, const SpilledBlock& rhs, int64_t rhs_row,
                          size_t num_keys) const {
  size_t first_key = 0;
  if (num_keys > 0 && lhs.words && rhs.words) {
    uint64_t word = lhs.words->as<uint64_t>()[lhs_row];
    uint64_t other = rhs.words->as<uint64_t>()[rhs_row];
    if (packing_.num_keys() > 0) {
      first_key = std::min(num_keys, packing_.num_keys());
      word = packing_.first_of(word, first_key);
      other = packing_.first_of(other, first_key);
    } else {
      const plan::SortKey& key = keys_->keys().front();
      const types::DataType& type = lhs.columns[static_cast<size_t>(key.column)]->type();
      first_key = static_cast<size_t>(same_word(type, key, word) == SameWord::Equal);
    }
    if (word != other) return word < other ? -1 : 1;
  }
  return keys_->compare(lhs.columns, lhs_row, rhs.columns, rhs_row, first_key, num_keys);
}

size_t SpilledRun::block_of(int64_t row) const {
  return static_cast<size_t>(std::ranges::upper_bound(blocks_, row, {}, &Block::first_row) - blocks_.begin()) - 1;
}

int64_t SpilledRun::largest_block() const {
  int64_t largest = 0;
  for (const Block& block : blocks_) largest = std::max(largest, block.place.num_bytes);
  return largest;
}

std::shared_ptr<spill::BlockRead> SpilledRun::start_read(size_t block, const BudgetPtr& budget,
                                                         spill::IoThreads& threads) const {
  return spill::BlockRead::start({{file_, blocks_[block].place}}, budget, threads);
}

SpilledBlock SpilledRun::decode(const std::shared_ptr<Buffer>& bytes, const SpilledOrder& order,
                                const BudgetPtr& budget) const {
  SpilledBlock block;
  block.columns = spill::decode_columns(bytes, types_);
  // The column is gone then, but its values lie in the block, which the others keep.
  const ColumnPtr morsels = std::move(block.columns.back());
  block.columns.pop_back();
  block.num_rows = morsels->length();
  block.morsels = morsels->values<int64_t>();
  block.words = order.words_of(block.columns, block.num_rows, budget);
  return block;
}

SpilledRunWriter::SpilledRunWriter(spill::SpillTarget& target, const KeyOrder& order, const KeySpans& spans,
                                   BudgetPtr budget)
    : order_(order), budget_(budget), writer_(target, std::move(budget)), run_(new SpilledRun) {
  run_->key_spans_ = spans;
}

SpilledRunPtr SpilledRunWriter::write(spill::SpillTarget& target, const KeyOrder& order, const KeySpans& spans,
                                      const BudgetPtr& budget, const std::function<void(SpilledRunWriter&)>& write) {
  return spill::BlockWriter::with_folders(target, [&] {
    SpilledRunWriter writer(target, order, spans, budget);
    write(writer);
    return writer.finish();
  });
}

void SpilledRunWriter::keep_first_row(const std::vector<ColumnPtr>& columns) {
  first_rows_.resize(columns.size());
  for (const plan::SortKey& key : order_.keys()) {
    const auto at = static_cast<size_t>(key.column);
    if (first_rows_[at].size() > run_->blocks_.size()) continue;
    first_rows_[at].push_back(columns::copy_compact(*columns[at]->slice(0, 1), budget_));
  }
}

void SpilledRunWriter::add(const std::vector<ColumnPtr>& columns, std::vector<int64_t> morsels) {
  std::vector<ColumnPtr> all = columns;
  all.push_back(column_of_morsels(morsels, budget_));
  if (run_->types_.empty()) {
    for (const ColumnPtr& column : all) run_->types_.push_back(column->type());
  }
  keep_first_row(columns);
  const auto num_rows = static_cast<int64_t>(morsels.size());
  run_->blocks_.push_back({{}, run_->num_rows_, num_rows});
  run_->num_rows_ += num_rows;
  writer_.add(all);
}

SpilledRunPtr SpilledRunWriter::finish() {
  const std::vector<spill::BlockExtent> places = writer_.finish();
  for (size_t i = 0; i < places.size(); ++i) run_->blocks_[i].place = places[i];
  run_->file_ = writer_.file();
  run_->first_rows_.num_rows = static_cast<int64_t>(run_->blocks_.size());
  for (const std::vector<ColumnPtr>& rows : first_rows_) {
    run_->first_rows_.columns.push_back(rows.empty() ? nullptr : columns::concatenate(rows, budget_));
  }
  return run_;
}

}  // namespace accelerant::operators
