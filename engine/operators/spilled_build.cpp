#include "operators/spilled_build.h"

#include "operators/join_build.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// What is read is put together once more.
constexpr int64_t kCopiesOfRows = 2;

}  // namespace

SpilledBuild::SpilledBuild(std::shared_ptr<const plan::Join> node, std::shared_ptr<const SpilledJoinRows> rows,
                           std::shared_ptr<spill::SpillTarget> target)
    : node_(std::move(node)), rows_(std::move(rows)), target_(std::move(target)) {
  keep(0);
}

int64_t SpilledBuild::table_bytes(int partition) const {
  const int64_t num_rows = rows_->num_rows(partition);
  const JoinKeys keys(key_types_of(*node_), nullptr);
  return kCopiesOfRows * rows_->num_bytes(partition) + num_rows * keys.num_words() * int64_t{sizeof(uint64_t)} +
         JoinTable::bytes_of(num_rows, keys.num_words(), node_->emits_build_rows());
}

void SpilledBuild::keep(int64_t bytes) {
  std::array<int, SpilledJoinRows::kPartitions> partitions;
  std::iota(partitions.begin(), partitions.end(), 0);
  std::ranges::stable_sort(partitions, {}, [&](int partition) { return rows_->num_bytes(partition); });
  int64_t num_rows = 0;
  for (const int partition : partitions) {
    num_rows += rows_->num_rows(partition);
    bytes -= table_bytes(partition);
    on_disk_[static_cast<size_t>(partition)] =
        rows_->num_rows(partition) > 0 && (bytes < 0 || num_rows > JoinTable::kMostRows);
  }
}

std::vector<int> SpilledBuild::partitions() const {
  std::vector<int> partitions;
  for (int partition = 0; partition < SpilledJoinRows::kPartitions; ++partition) {
    if (is_on_disk(partition)) partitions.push_back(partition);
  }
  return partitions;
}

SpilledBuildReader::SpilledBuildReader(const SpilledBuild& build, std::span<const SpilledJoinRows::Block* const> blocks,
                                       const KeyRange& keys, const execution::OperatorContext& ctx)
    : node_(*build.node()), budget_(ctx.budget), reader_(build.rows(), blocks, keys, ctx, build.target()->threads) {
  if (node_.build_keys()) evaluator_.emplace(node_.build_keys(), budget_, ctx.plan_node, ctx.parameters);
}

execution::EventPtr SpilledBuildReader::read() {
  while (true) {
    if (!rows_) {
      if (execution::EventPtr block = reader_.start_next()) return block;
      rows_ = reader_.next();
      if (!rows_) return nullptr;
    }
    if (rows_->num_rows > 0) chunks_.push_back(make_chunk(node_, *rows_, evaluator_ ? &*evaluator_ : nullptr, budget_));
    rows_.reset();
  }
}

JoinTable::Chunk make_chunk(const plan::Join& node, Batch rows, expressions::Evaluator* evaluator,
                            const std::shared_ptr<memory::Budget>& budget) {
  Batch keys;
  if (evaluator) keys = evaluator->project(rows);
  auto encoded = std::make_unique<JoinKeys>(key_types_of(node), budget);
  encoded->encode(keys.columns, rows.num_rows);
  encoded->drop_cursors();
  const KeyBounds bounds = encoded->bounds();
  return {0, rows.num_rows, std::move(rows.columns), std::move(encoded), bounds};
}

}  // namespace accelerant::operators
