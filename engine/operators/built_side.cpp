#include "operators/built_side.h"

#include "base/error.h"
#include "columns/gather.h"
#include "execution/event.h"
#include "execution/outside_call.h"
#include "expressions/evaluator.h"
#include "memory/memory_wait.h"

#include <optional>
#include <utility>

namespace accelerant::operators {

namespace {

/// Of what memory is left, a set of keys on disk takes a part at most; and so many bytes are read for one at most.
constexpr int64_t kPartOfKeySet = 4;
constexpr int64_t kMostBytesOfKeys = 256 << 20;

}  // namespace

BuiltSide::BuiltSide(std::shared_ptr<const plan::Join> node, std::unique_ptr<JoinTable> table, bool has_rows,
                     bool has_null_key, const execution::OperatorContext& ctx,
                     std::shared_ptr<const SpilledBuild> spilled)
    : node_(std::move(node)),
      table_(std::move(table)),
      has_rows_(has_rows),
      has_null_key_(has_null_key),
      ctx_(ctx),
      spilled_(std::move(spilled)) {}

plan::Spared BuiltSide::spared() const {
  return has_rows_ || node_->spark_builds_left != node_->builds_left ? plan::Spared::Nothing : node_->spared;
}

columns::Batch BuiltSide::keys() const {
  columns::Batch rows;
  rows.num_rows = table_->num_rows();
  if (rows.num_rows == 0) {
    columns::Batch none;
    const expressions::Program& program = *node_->build_keys();
    for (int key = 0; key < program.num_outputs(); ++key) {
      none.columns.push_back(columns::Column::nulls(program.output_type(key), 0, ctx_.budget));
    }
    return none;
  }
  rows.columns = table_->columns();
  return expressions::Evaluator(node_->build_keys(), ctx_.budget, ctx_.plan_node, ctx_.parameters)
      .project(std::move(rows));
}

std::shared_ptr<const expressions::KeySet> BuiltSide::keys_in(int key) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) {
    const execution::OutsideCall others_read;
    lock.lock();
  }
  const auto found = key_sets_.find(key);
  if (found != key_sets_.end()) return found->second;
  std::shared_ptr<const expressions::KeySet> made;
  try {
    made = make_key_set(key);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource) throw;  // too little memory for a help is no failure
  }
  key_sets_.emplace(key, made);
  return made;
}

/// Keys whose computing failed would have ended the query before.
std::shared_ptr<const expressions::KeySet> BuiltSide::make_key_set(int key) const {
  if (spilled_) return read_key_set(key);
  const auto column = columns::flatten(keys().columns[static_cast<size_t>(key)], ctx_.budget);
  return std::make_shared<expressions::KeySet>(*column, ctx_.budget);
}

// All rows were written, those of the table too.
std::shared_ptr<const expressions::KeySet> BuiltSide::read_key_set(int key) const {
  const memory::WithoutWaiting at_once;
  const SpilledJoinRows& rows = spilled_->rows();
  const int64_t room = spilled_->target()->bytes_left() / kPartOfKeySet;
  if (rows.num_bytes() > kMostBytesOfKeys || expressions::KeySet::bloom_bytes(rows.num_rows()) > room) return nullptr;
  auto set = std::make_shared<expressions::KeySet>(rows.num_rows(), ctx_.budget);
  expressions::Evaluator evaluator(node_->build_keys(), ctx_.budget, ctx_.plan_node, ctx_.parameters);
  for (int partition = 0; partition < SpilledJoinRows::kPartitions; ++partition) {
    const KeyRange all = SpilledJoinRows::keys_of(partition);
    SpilledJoinReader reader(rows, rows.blocks(all), all, ctx_, spilled_->target()->threads);
    while (true) {
      if (const execution::EventPtr block = reader.start_next()) execution::wait_for(block);
      std::optional<columns::Batch> some = reader.next();
      if (!some) break;
      const auto column = evaluator.project(std::move(*some)).columns[static_cast<size_t>(key)];
      set->add(*columns::flatten(column, ctx_.budget));
    }
  }
  return set;
}

}  // namespace accelerant::operators
