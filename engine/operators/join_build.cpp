#include "operators/join_build.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "memory/memory_wait.h"
#include "operators/expression_error.h"
#include "operators/join_rest.h"
#include "operators/spill_sizes.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct JoinBuildState final : State {
  JoinBuildState(const plan::Join& node, const execution::OperatorContext& ctx, JoinRowsSpill& spill)
      : held(spill.add_worker()) {
    if (node.build_keys()) evaluator.emplace(node.build_keys(), ctx.budget, ctx.plan_node, ctx.parameters);
  }

  std::optional<expressions::Evaluator> evaluator;    ///< none without keys
  const std::shared_ptr<JoinRowsSpill::Worker> held;  ///< its rows
};

/// What a row's keys take, about.
constexpr int64_t kUsualBytesOfKeys = 24;
/// Of what is left, rows that come back from disk take a part.
constexpr int64_t kPartOfRows = 2;

/// Removes rows whose key is null: no probe finds them.
void drop_null_keys(Batch& rows, Batch& keys, const JoinKeys& encoded) {
  auto kept = std::make_shared<std::vector<int32_t>>();
  for (int32_t row = 0; row < rows.num_rows; ++row) {
    if (!encoded.is_null(row)) kept->push_back(row);
  }
  rows.selection = keys.selection = std::move(kept);
}

}  // namespace

std::vector<types::DataType> key_types_of(const plan::Join& join) {
  std::vector<types::DataType> types;
  for (int i = 0; join.left_keys && i < join.left_keys->num_outputs(); ++i) {
    types.push_back(join.left_keys->output_type(i));
  }
  return types;
}

JoinBuild::JoinBuild(std::shared_ptr<const plan::Join> node, const execution::OperatorContext& ctx,
                     std::shared_ptr<spill::SpillTarget> target)
    : node_(std::move(node)),
      ctx_(ctx),
      columns_read_(node_->build_columns_read()),
      written_(std::make_shared<SpilledJoinRows>(node_, JoinSide::Build)),
      spill_(std::make_shared<JoinRowsSpill>(written_, std::numeric_limits<int64_t>::max(), ctx, std::move(target))) {
  for (const auto& type : key_types_of(*node_)) {
    if (!KeyEncoder::supports(type)) throw_unsupported("a join key of type " + type.to_string());
  }
  ctx.budget->add_reclaimer(spill_);
}

std::unique_ptr<State> JoinBuild::make_state() { return std::make_unique<JoinBuildState>(*node_, ctx_, *spill_); }

Step JoinBuild::consume(State& state, Batch& in) {
  auto& worker = static_cast<JoinBuildState&>(state);
  mark_below_join(in);
  raise_first_error(in);
  Batch rows = in;
  drop_unread(rows);
  rows = columns::compact(std::move(rows), ctx_.budget);
  if (rows.num_rows == 0) return Step::needs_input();
  has_rows_.store(true, std::memory_order_relaxed);
  Batch keys;
  if (worker.evaluator) keys = worker.evaluator->project(rows);
  mark_below_join(keys);
  raise_first_error(keys);
  int64_t expected_bytes = rows.num_rows * kUsualBytesOfKeys;
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    if (is_copied(rows, i)) expected_bytes += rows.num_rows * kUsualBytesOfValue;
  }
  spill_->take(*worker.held, expected_bytes, [&](const auto& budget) { return hold(rows, keys, budget); });
  return Step::needs_input();
}

bool JoinBuild::is_copied(const Batch& rows, size_t column) const {
  return columns_read_[column] && !rows.columns[column]->owns_its_bytes_only();
}

HashedRows JoinBuild::hold(Batch rows, Batch keys, const std::shared_ptr<memory::Budget>& budget) {
  auto encoded = std::make_unique<JoinKeys>(key_types_of(*node_), budget);
  encoded->encode(keys.columns, rows.num_rows);
  bool has_null_key = false;
  for (int64_t row = 0; row < rows.num_rows && !has_null_key; ++row) has_null_key = encoded->is_null(row);
  if (has_null_key) {
    has_null_key_.store(true, std::memory_order_relaxed);
    if (!node_->emits_build_rows()) {
      drop_null_keys(rows, keys, *encoded);
      rows = columns::compact(std::move(rows), budget);
      keys = columns::compact(std::move(keys), budget);
      if (rows.num_rows == 0) return {};
      encoded->encode(keys.columns, rows.num_rows);
    }
  }
  encoded->drop_cursors();
  const KeyBounds bounds = encoded->bounds();
  HashedRows held{{rows.morsel, rows.num_rows, {}, std::move(encoded), bounds}};
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    const auto& column = rows.columns[i];
    held.rows.columns.push_back(is_copied(rows, i) ? columns::copy_compact(*column, budget) : column);
  }
  return held;
}

void JoinBuild::drop_unread(Batch& rows) const {
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    if (columns_read_[i]) continue;
    rows.columns[i] = columns::Column::nulls(node_->build_input()->output[i].type, rows.num_rows, ctx_.budget);
  }
}

Step JoinBuild::combine(State& state) {
  spill_->end(*static_cast<JoinBuildState&>(state).held);
  return Step::finished();
}

Step JoinBuild::finish() {
  ctx_.cancellation->check();
  while (true) {
    if (!table_) {
      if (execution::EventPtr block = make_table()) return Step::suspended(std::move(block));
    }
    const bool may_spill = table_->num_rows() > 0 && spill_->can_spill();
    try {
      std::optional<memory::WithoutWaiting> at_once;
      if (may_spill) at_once.emplace();
      table_->allocate();
      return Step::finished();
    } catch (const Error& error) {
      if (error.error_class() != memory::kOutOfBudget || !may_spill) throw;
    }
    give_up_table();
  }
}

void JoinBuild::give_up_table() {
  std::vector<JoinTable::Chunk> chunks = table_->take_chunks();
  table_.reset();
  if (spilled_) {
    for (int partition = 0; partition < SpilledJoinRows::kPartitions; ++partition) spilled_->put_on_disk(partition);
  } else {
    spill_->take_back(std::move(chunks));
  }
}

Step JoinBuild::run_finish_task(int64_t task) {
  table_->run_finish_task(task);
  spill_->shrink();
  return Step::finished();
}

bool JoinBuild::fits(std::span<const HashedRows* const> rows, int64_t prepaid_bytes) const {
  int64_t num_rows = 0;
  int64_t num_bytes = 0;
  std::vector<int64_t> of_columns(columns_read_.size());
  for (const HashedRows* held : rows) {
    num_rows += held->rows.num_rows;
    for (size_t i = 0; i < of_columns.size(); ++i) of_columns[i] += held->rows.columns[i]->memory_bytes();
  }
  if (num_rows > JoinTable::kMostRows) return false;
  for (const int64_t bytes : of_columns) num_bytes += bytes;
  // Each worker puts a column together.
  const int64_t largest = of_columns.empty() ? 0 : *std::ranges::max_element(of_columns);
  const int64_t copies = std::min(num_bytes, largest * spill_->num_workers());
  const int64_t room = std::min(num_bytes / kEnoughPart, kEnoughBytes * spill_->num_workers());
  const int num_words = rows.empty() ? 1 : rows.front()->rows.keys->num_words();
  const int64_t table = JoinTable::bytes_of(num_rows, num_words, node_->emits_build_rows());
  return table + std::max(copies, room) <= spill_->target()->bytes_left() + prepaid_bytes;
}

execution::EventPtr JoinBuild::make_table() {
  if (!spilled_) {
    auto chunks = spill_->take_all([&](const auto& rows, int64_t prepaid) { return fits(rows, prepaid); });
    if (chunks) {
      make_table(std::move(*chunks));
      return nullptr;
    }
    spill_->write_all();
    spilled_ = std::make_shared<SpilledBuild>(node_, written_, spill_->target());
    spilled_->keep(spill_->target()->bytes_left() / kPartOfRows);
  }
  for (; next_partition_ < SpilledJoinRows::kPartitions; ++next_partition_) {
    if (spilled_->is_on_disk(next_partition_) || written_->num_rows(next_partition_) == 0) continue;
    if (execution::EventPtr block = read_partition()) return block;
  }
  make_table(std::exchange(chunks_, {}));
  return nullptr;
}

execution::EventPtr JoinBuild::read_partition() {
  const KeyRange keys = SpilledJoinRows::keys_of(next_partition_);
  try {
    const memory::WithoutWaiting at_once;
    if (!reader_) reader_ = std::make_unique<SpilledBuildReader>(*spilled_, written_->blocks(keys), keys, ctx_);
    if (execution::EventPtr block = reader_->read()) return block;
    std::vector<JoinTable::Chunk> read = reader_->take();
    std::move(read.begin(), read.end(), std::back_inserter(chunks_));
  } catch (const Error& error) {
    reader_.reset();
    if (error.error_class() != memory::kOutOfBudget) throw;
    spilled_->put_on_disk(next_partition_);
  }
  reader_.reset();
  return nullptr;
}

void JoinBuild::make_table(std::vector<JoinTable::Chunk> chunks) {
  // A worker's chunks of one morsel stand in their order already.
  std::stable_sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) { return a.morsel < b.morsel; });
  const auto order = node_->build_keys() ? JoinTable::ChainOrder::LastRowFirst : JoinTable::ChainOrder::FirstRowFirst;
  const int num_workers = static_cast<int>(std::max<int64_t>(1, spill_->num_workers()));
  table_ = std::make_unique<JoinTable>(std::move(chunks), node_->emits_build_rows(), order, num_workers, ctx_);
}

void JoinBuild::hand_on(const plan::Node& node, StageResults& results) {
  if (spilled_ && spilled_->partitions().empty()) spilled_ = nullptr;
  auto built = std::make_shared<BuiltSide>(node_, std::move(table_), has_rows_, has_null_key_, ctx_, spilled_);
  if (node_->emits_build_rows()) results.rows.emplace(&node, std::make_shared<JoinRest>(node_, built, ctx_));
  results.built_sides.emplace(&node, std::move(built));
}

}  // namespace accelerant::operators
