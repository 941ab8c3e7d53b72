#include "operators/join_build.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "operators/expression_error.h"
#include "operators/join_rest.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct JoinBuildState final : State {
  JoinBuildState(const plan::Join& node, const execution::OperatorContext& ctx) {
    if (node.build_keys()) evaluator.emplace(node.build_keys(), ctx.budget, ctx.plan_node, ctx.parameters);
  }

  std::optional<expressions::Evaluator> evaluator;  ///< none without keys
  std::vector<JoinTable::Chunk> chunks;
};

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

JoinBuild::JoinBuild(std::shared_ptr<const plan::Join> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), columns_read_(node_->build_columns_read()) {
  for (const auto& type : key_types_of(*node_)) {
    if (!KeyEncoder::supports(type)) throw_unsupported("a join key of type " + type.to_string());
  }
}

std::unique_ptr<State> JoinBuild::make_state() { return std::make_unique<JoinBuildState>(*node_, ctx_); }

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
  auto encoded = std::make_unique<JoinKeys>(key_types_of(*node_), ctx_.budget);
  encoded->encode(keys.columns, rows.num_rows);
  bool has_null_key = false;
  for (int64_t row = 0; row < rows.num_rows && !has_null_key; ++row) has_null_key = encoded->is_null(row);
  if (has_null_key) {
    has_null_key_.store(true, std::memory_order_relaxed);
    if (!node_->emits_build_rows()) {
      drop_null_keys(rows, keys, *encoded);
      rows = columns::compact(std::move(rows), ctx_.budget);
      keys = columns::compact(std::move(keys), ctx_.budget);
      if (rows.num_rows == 0) return Step::needs_input();
      encoded->encode(keys.columns, rows.num_rows);
    }
  }
  encoded->drop_cursors();
  const KeyBounds bounds = encoded->bounds();
  JoinTable::Chunk chunk{rows.morsel, rows.num_rows, {}, std::move(encoded), bounds};
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    const auto& column = rows.columns[i];
    const bool is_copied = columns_read_[i] && !column->owns_its_bytes_only();
    chunk.columns.push_back(is_copied ? columns::copy_compact(*column, ctx_.budget) : column);
  }
  worker.chunks.push_back(std::move(chunk));
  return Step::needs_input();
}

void JoinBuild::drop_unread(Batch& rows) const {
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    if (columns_read_[i]) continue;
    rows.columns[i] = columns::Column::nulls(node_->build_input()->output[i].type, rows.num_rows, ctx_.budget);
  }
}

Step JoinBuild::combine(State& state) {
  auto& worker = static_cast<JoinBuildState&>(state);
  std::lock_guard lock(mutex_);
  std::move(worker.chunks.begin(), worker.chunks.end(), std::back_inserter(chunks_));
  ++num_workers_;
  return Step::finished();
}

Step JoinBuild::finish() {
  ctx_.cancellation->check();
  if (!table_) make_table();
  table_->allocate();
  return Step::finished();
}

Step JoinBuild::run_finish_task(int64_t task) {
  table_->run_finish_task(task);
  return Step::finished();
}

void JoinBuild::make_table() {
  // A worker's chunks of one morsel stand in their order already.
  std::stable_sort(chunks_.begin(), chunks_.end(), [](const auto& a, const auto& b) { return a.morsel < b.morsel; });
  const auto order = node_->build_keys() ? JoinTable::ChainOrder::LastRowFirst : JoinTable::ChainOrder::FirstRowFirst;
  table_ = std::make_unique<JoinTable>(std::exchange(chunks_, {}), node_->emits_build_rows(), order,
                                       std::max(1, num_workers_), ctx_);
}

void JoinBuild::hand_on(const plan::Node& node, StageResults& results) {
  auto built = std::make_shared<BuiltSide>(node_, std::move(table_), has_rows_, has_null_key_, ctx_);
  if (node_->emits_build_rows()) results.rows.emplace(&node, std::make_shared<JoinRest>(node_, built, ctx_));
  results.built_sides.emplace(&node, std::move(built));
}

}  // namespace accelerant::operators
