#include "operators/aggregate.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "operators/expression_error.h"
#include "operators/row_groups.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

namespace {

std::vector<types::DataType> types_of(const std::vector<plan::OutputColumn>& columns) {
  std::vector<types::DataType> types;
  for (const auto& column : columns) types.push_back(column.type);
  return types;
}

std::vector<std::unique_ptr<Accumulator>> make_accumulators(const plan::Aggregate& node,
                                                            const execution::OperatorContext& ctx) {
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  for (const auto& call : node.calls) accumulators.push_back(make_accumulator(call, ctx));
  return accumulators;
}

void charge(const std::vector<std::unique_ptr<Accumulator>>& accumulators, memory::Reservation& reservation) {
  int64_t bytes = 0;
  for (const auto& accumulator : accumulators) bytes += accumulator->memory_bytes();
  reservation.resize(bytes);
}

/// Makes room for the table's groups in every accumulator and charges what they hold.
void resize_all(std::vector<std::unique_ptr<Accumulator>>& accumulators, int64_t num_groups,
                memory::Reservation& reservation) {
  for (auto& accumulator : accumulators) accumulator->resize(num_groups);
  charge(accumulators, reservation);
}

/// A worker's own groups.
struct WorkerGroups {
  WorkerGroups(const plan::Aggregate& node, int64_t key_bytes, const execution::OperatorContext& ctx)
      : table(ctx.budget, key_bytes), accumulators(make_accumulators(node, ctx)), reservation(ctx.budget, 0) {}

  GroupTable table;
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  memory::Reservation reservation;
};

struct AggregateState final : State {
  AggregateState(const plan::Aggregate& node, const execution::OperatorContext& ctx)
      : evaluator(node.input, ctx.budget, ctx.plan_node, ctx.parameters),
        row_groups(types_of(node.keys)),
        groups(std::make_shared<WorkerGroups>(node, row_groups.key_bytes(), ctx)) {}

  expressions::Evaluator evaluator;
  RowGroups row_groups;
  std::shared_ptr<WorkerGroups> groups;  ///< outlive the worker where another one merges them
};

/// Numbers a batch so that numbers ascend in the order of the query's batches.
int64_t place_of(const Batch& batch) { return (batch.morsel << 32) + batch.sequence; }

/// Raises the first error among a batch's arguments. Which rows Spark evaluates the value of `first` in depends on its
/// partitions: only Spark can tell whether an error of such a value counts, so that the query turns back if it can.
void raise_error(const Batch& batch, const plan::Aggregate& node, const execution::OperatorContext& ctx) {
  const auto skips = [](const plan::AggregateCall& call) { return plan::traits_of(call.kind).skips_values; };
  const bool is_own = !batch.errors.empty() && batch.errors.front().plan_node == ctx.plan_node;
  if (is_own && std::ranges::any_of(node.calls, skips)) {
    throw ExpressionError(batch.errors.front(), ErrorKind::Unsupported,
                          "first, max_by or min_by beside an argument that fails");
  }
  raise_first_error(batch);
}

int partition_of(uint64_t hash) { return static_cast<int>(hash >> 60); }
static_assert(GroupedStates::kPartitions == 16, "partition_of takes four bits");

}  // namespace

struct GroupedStates::Share {
  std::shared_ptr<const WorkerGroups> worker;
  std::vector<int32_t> groups;
};

GroupedStates::GroupedStates(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), encoder_(types_of(node_->keys)) {
  for (Partition& partition : partitions_) {
    partition.table = std::make_unique<GroupTable>(ctx.budget, encoder_.key_bytes());
    partition.accumulators = make_accumulators(*node_, ctx);
    partition.states = memory::Reservation(ctx.budget, 0);
    resize_all(partition.accumulators, partition.table->num_groups(), partition.states);
  }
}

GroupedStates::~GroupedStates() = default;

int64_t GroupedStates::num_groups(int index) const {
  return partitions_[static_cast<size_t>(index)].table->num_groups() - 1;
}

Batch GroupedStates::read(int index, int64_t first, int64_t length) const {
  const Partition& partition = partitions_[static_cast<size_t>(index)];
  std::vector<std::string_view> keys;
  for (int64_t i = 0; i < length; ++i) keys.push_back(partition.table->key(static_cast<int32_t>(first + i + 1)));
  Batch batch;
  batch.num_rows = length;
  batch.columns = encoder_.decode(keys, ctx_.budget);
  for (const auto& accumulator : partition.accumulators) {
    batch.columns.push_back(accumulator->finish(first + 1, length, batch.errors));
  }
  std::stable_sort(batch.errors.begin(), batch.errors.end(),
                   [](const auto& a, const auto& b) { return a.row < b.row; });
  return batch;
}

AggregateSink::AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), result_(std::make_shared<GroupedStates>(node_, ctx)) {}

std::unique_ptr<State> AggregateSink::make_state() { return std::make_unique<AggregateState>(*node_, ctx_); }

Step AggregateSink::consume(State& state, Batch& in) {
  auto& worker = static_cast<AggregateState&>(state);
  Batch batch = worker.evaluator.project(in);
  raise_error(batch, *node_, ctx_);
  if (batch.num_selected() == 0) return Step::needs_input();
  if (batch.num_selected() * 2 < batch.num_rows) batch = columns::compact(std::move(batch), ctx_.budget);

  WorkerGroups& groups = *worker.groups;
  GroupedRows rows{nullptr, batch.num_rows, 2};
  if (!node_->keys.empty() || batch.selection) {
    rows.groups = worker.row_groups.find(batch, node_->keys.size(), groups.table, ctx_.budget).data();
    rows.num_groups = groups.table.num_groups();
  } else if (groups.table.num_groups() == 1) {
    groups.table.find_or_insert({}, GroupTable::hash({}));
  }
  resize_all(groups.accumulators, groups.table.num_groups(), groups.reservation);
  rows.batch = place_of(batch);
  std::vector<ColumnPtr> arguments;
  for (size_t i = 0; i < node_->calls.size(); ++i) {
    arguments.clear();
    for (const int argument : node_->calls[i].arguments)
      arguments.push_back(columns::flatten(batch.columns[static_cast<size_t>(argument)], ctx_.budget));
    groups.accumulators[i]->update(rows, arguments);
  }
  return Step::needs_input();
}

void AggregateSink::combine(State& state) {
  const std::shared_ptr<const WorkerGroups> worker = std::move(static_cast<AggregateState&>(state).groups);
  const GroupTable& table = worker->table;
  const memory::Reservation places(ctx_.budget, table.num_groups() * static_cast<int64_t>(sizeof(int32_t)));
  std::array<std::vector<int32_t>, GroupedStates::kPartitions> groups;
  for (int32_t group = 1; group < table.num_groups(); ++group) {
    groups[static_cast<size_t>(partition_of(table.hash_of(group)))].push_back(group);
  }
  for (int p = 0; p < GroupedStates::kPartitions; ++p) {
    auto& own = groups[static_cast<size_t>(p)];
    if (!own.empty()) result_->merge(p, {worker, std::move(own)});
  }
}

void GroupedStates::merge(int index, Share share) {
  Partition& partition = partitions_[static_cast<size_t>(index)];
  std::unique_lock lock(partition.mutex);
  partition.waiting.push_back(std::move(share));
  if (partition.is_merging) return;
  partition.is_merging = true;
  while (!partition.waiting.empty()) {
    const Share next = std::move(partition.waiting.back());
    partition.waiting.pop_back();
    lock.unlock();
    ctx_.cancellation->check();
    merge_alone(partition, next);
    lock.lock();
  }
  partition.is_merging = false;
}

void GroupedStates::merge_alone(Partition& partition, const Share& share) {
  const GroupTable& from = share.worker->table;
  const std::vector<int32_t>& groups = share.groups;
  const memory::Reservation places(ctx_.budget, static_cast<int64_t>(groups.size() * sizeof(int32_t)));
  std::vector<int32_t> into;
  into.reserve(groups.size());
  for (size_t i = 0; i < groups.size(); ++i) {
    constexpr size_t kAhead = GroupTable::kPrefetchAhead;
    if (i + kAhead < groups.size()) partition.table->prefetch(from.hash_of(groups[i + kAhead]));
    into.push_back(partition.table->find_or_insert(from.key(groups[i]), from.hash_of(groups[i])));
  }
  resize_all(partition.accumulators, partition.table->num_groups(), partition.states);
  for (size_t i = 0; i < partition.accumulators.size(); ++i) {
    partition.accumulators[i]->merge(*share.worker->accumulators[i], groups, into);
  }
  charge(partition.accumulators, partition.states);
}

void AggregateSink::finish() {
  if (node_->keys.empty()) {
    // There is one group, even if no row came.
    const uint64_t hash = GroupTable::hash({});
    GroupedStates::Partition& partition = result_->partitions_[static_cast<size_t>(partition_of(hash))];
    partition.table->find_or_insert({}, hash);
    resize_all(partition.accumulators, partition.table->num_groups(), partition.states);
  }
  for (GroupedStates::Partition& partition : result_->partitions_) {
    for (auto& accumulator : partition.accumulators) accumulator->seal();
    charge(partition.accumulators, partition.states);
  }
}

std::unique_ptr<Source> AggregateSink::make_source(int index, int count) const {
  const int first = GroupedStates::kPartitions * index / count;
  const int last = GroupedStates::kPartitions * (index + 1) / count;
  return std::make_unique<AggregateSource>(result_, first, last, ctx_);
}

namespace {

struct AggregateSourceState final : State {
  int partition = -1;  ///< the one being read
  int64_t next_group = 0;
  int64_t sequence = 0;
};

}  // namespace

std::unique_ptr<State> AggregateSource::make_state() { return std::make_unique<AggregateSourceState>(); }

Step AggregateSource::next(State& state, Batch& out) {
  auto& worker = static_cast<AggregateSourceState&>(state);
  if (worker.partition < 0) {
    const int taken = taken_.fetch_add(1, std::memory_order_relaxed);
    if (first_ + taken >= last_) return Step::finished();
    worker.partition = first_ + taken;
    worker.next_group = 0;
    worker.sequence = 0;
  }
  const int64_t left = groups_->num_groups(worker.partition) - worker.next_group;
  const int64_t length = std::min(left, ctx_.batch_rows);
  out = groups_->read(worker.partition, worker.next_group, length);
  out.morsel = worker.partition - first_;
  out.sequence = worker.sequence++;
  out.ends_morsel = length == left;
  worker.next_group += length;
  if (out.ends_morsel) worker.partition = -1;
  return Step::has_output();
}

}  // namespace accelerant::operators
