#include "operators/aggregate.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "operators/code_counts.h"
#include "operators/expression_error.h"
#include "operators/group_finder.h"
#include "plan/expand.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

struct AggregateState final : State {
  AggregateState(const plan::Aggregate& node, const execution::OperatorContext& ctx, std::shared_ptr<AggregateSpill> to,
                 bool counts = true)
      : evaluator(node.input, ctx.budget, ctx.plan_node, ctx.parameters),
        spill(std::move(to)),
        held(spill->add_worker(counts)),
        group_finder(node.key_types(), spill->context_of(*held).budget) {}
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;
  ~AggregateState() override { spill->leave(*held); }

  /// What is to be done next with the batch at hand.
  enum class Phase : uint8_t { Evaluate, FindGroups, Update, Settle };

  expressions::Evaluator evaluator;
  const std::shared_ptr<AggregateSpill> spill;
  const std::shared_ptr<AggregateSpill::Worker> held;  ///< its groups
  GroupFinder group_finder;
  CodeCounts code_counts;
  const AggregateState* finer = nullptr;  ///< of who groups the same rows before, by more keys
  Phase phase = Phase::Evaluate;
  Batch batch;
  aggregates::GroupedRows rows{nullptr, 0, 0};
  int64_t place = 0;             ///< of the batch, the same for all that an expansion makes of one
  columns::Selection selection;  ///< with which it came
  int64_t set_of_rows = 0;       ///< in which the groups of the batch's rows were found
  size_t next_call = 0;
};

namespace {

/// Raises the first error among a batch's keys and arguments. Which rows Spark evaluates the value of `first` in
/// depends on its partitions; where Spark sorts, a later row may fail below first. Only Spark can tell then whether the
/// error counts, so that the query turns back if it can.
void raise_error(const Batch& batch, const plan::Aggregate& node, const execution::OperatorContext& ctx) {
  if (batch.errors.empty()) return;
  const columns::RowError& error = batch.errors.front();
  if (error.plan_node == ctx.plan_node) {
    const auto skips = [](const plan::AggregateCall& call) { return call.description().skips_values; };
    if (std::ranges::any_of(node.calls, skips)) {
      throw ExpressionError(error, ErrorKind::Unsupported, "first, max_by or min_by beside an argument that fails");
    }
    if (node.spark_sorts) {
      throw ExpressionError(error, ErrorKind::Unsupported, "a row fails in an aggregate for which Spark sorts first");
    }
  }
  raise_first_error(batch);
}

/// Adds the rows of the one group by the dictionary of the function's argument, if it has one; returns false where it
/// can't.
bool update_by_codes(aggregates::Accumulator& accumulator, const plan::AggregateCall& call, const Batch& batch,
                     CodeCounts& code_counts) {
  if (call.arguments.size() != 1) return false;
  const columns::Column& argument = *batch.columns[static_cast<size_t>(call.arguments.front())];
  if (!argument.is_dictionary()) return false;
  const std::span<const int64_t> times = code_counts.of(argument);
  return !times.empty() && accumulator.update_repeated(argument.child_values(), times);
}

/// Returns the groups of the batch at hand by more keys, where it is the one that was grouped by those last.
FinerGroups finer_groups(const AggregateState& worker) {
  const AggregateState* finer = worker.finer;
  if (!finer || !finer->rows.groups) return {};
  const bool has_same_rows = finer->place == worker.place && finer->selection == worker.selection &&
                             finer->rows.num_rows == worker.batch.num_rows;
  if (!has_same_rows) return {};
  return {{finer->rows.groups, static_cast<size_t>(finer->rows.num_rows)}, finer->rows.num_groups, finer->set_of_rows};
}

/// Returns how many batches the input of an aggregate makes of each: an expansion's projections.
int64_t projections_below(const plan::Aggregate& node) {
  const auto expand = node.inputs.empty() ? nullptr : plan::node_as<plan::Expand>(node.inputs.front());
  return expand && !expand->in_row_order ? static_cast<int64_t>(expand->projections.size()) : 1;
}

}  // namespace

AggregateSink::AggregateSink(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx,
                             std::shared_ptr<spill::SpillTarget> target, std::shared_ptr<DeviceAggregation> device)
    : node_(std::move(node)),
      ctx_(ctx),
      result_(std::make_shared<GroupedStates>(node_, ctx)),
      spill_(std::make_shared<AggregateSpill>(node_, result_, ctx, std::move(target))),
      device_(std::move(device)),
      num_projections_(projections_below(*node_)) {
  ctx.budget->add_reclaimer(spill_);
}

std::unique_ptr<State> AggregateSink::make_state(const State* finer) {
  auto state = std::make_unique<AggregateState>(*node_, ctx_, spill_);
  state->finer = static_cast<const AggregateState*>(finer);
  return state;
}

Step AggregateSink::consume(State& state, Batch& in) {
  using Phase = AggregateState::Phase;
  auto& worker = static_cast<AggregateState&>(state);
  if (worker.phase == Phase::Evaluate) {
    worker.rows.groups = nullptr;
    worker.place = place_of(in.morsel, in.sequence / num_projections_);
    worker.selection = in.selection;
    worker.batch = evaluate(worker.evaluator, in);
    if (worker.batch.num_selected() == 0) return Step::needs_input();
    worker.phase = Phase::FindGroups;
  }
  if (worker.phase == Phase::FindGroups && spill_->try_to_pass(*worker.held, worker.batch)) {
    worker.batch = Batch();
    worker.phase = Phase::Settle;
  }
  if (worker.phase == Phase::FindGroups) {
    spill_->with_groups(*worker.held, [&](GroupSet& groups, int64_t set) {
      find_groups(worker, groups, set);
      groups.num_rows += worker.batch.num_selected();
      groups.has_order &= worker.batch.has_order();
    });
    worker.code_counts.start_batch();
    worker.next_call = 0;
    worker.phase = Phase::Update;
  }
  if (worker.phase == Phase::Update) {
    for (; worker.next_call < node_->calls.size(); ++worker.next_call) update(worker);
    worker.batch = Batch();
    worker.phase = Phase::Settle;
  }
  spill_->settle(*worker.held);
  worker.phase = Phase::Evaluate;
  return Step::needs_input();
}

Batch AggregateSink::evaluate(expressions::Evaluator& evaluator, const Batch& in) const {
  Batch batch = evaluator.project(in);
  raise_error(batch, *node_, ctx_);
  const bool is_sparse = batch.num_selected() > 0 && batch.num_selected() * 2 < batch.num_rows;
  return is_sparse ? columns::compact(std::move(batch), ctx_.budget) : batch;
}

void AggregateSink::find_groups(AggregateState& worker, GroupSet& groups, int64_t set) const {
  const Batch& batch = worker.batch;
  aggregates::GroupedRows rows{nullptr, batch.num_rows, 2};
  if (!node_->keys.empty() || batch.selection) {
    const FinerGroups finer = finer_groups(worker);
    rows.groups = worker.group_finder.find(batch, node_->keys.size(), groups.table, finer, set).data();
    rows.num_groups = groups.table.num_groups();
    const std::span groups_of_rows(rows.groups, static_cast<size_t>(batch.num_rows));
    groups.places.note(rows.num_groups, batch, groups_of_rows, num_projections_);
  } else if (groups.table.num_groups() == 1) {
    groups.table.find_or_insert({}, GroupTable::hash({}));
  }
  groups.resize();
  rows.batch = place_of(batch);
  rows.partition = partition_of(batch);
  worker.rows = rows;
  worker.set_of_rows = set;
}

void AggregateSink::update(AggregateState& worker) const {
  const plan::AggregateCall& call = node_->calls[worker.next_call];
  std::vector<ColumnPtr> arguments;
  const auto with_groups = [&](const auto& add) {
    spill_->with_groups(*worker.held, [&](GroupSet& groups, int64_t set) {
      if (set != worker.set_of_rows) {
        // Those before are on disk, with what the calls before this one made of the batch.
        find_groups(worker, groups, set);
      }
      add(*groups.accumulators[worker.next_call]);
    });
  };
  if (!worker.rows.groups) {
    bool is_done = false;
    with_groups([&](aggregates::Accumulator& accumulator) {
      is_done = update_by_codes(accumulator, call, worker.batch, worker.code_counts);
    });
    if (is_done) return;
  }
  // Others may have the groups written to have memory for it.
  for (const int argument : call.arguments) {
    arguments.push_back(columns::flatten(worker.batch.columns[static_cast<size_t>(argument)], ctx_.budget));
  }
  with_groups([&](aggregates::Accumulator& accumulator) { accumulator.update(worker.rows, arguments); });
}

Step AggregateSink::combine(State& state) {
  auto& worker = static_cast<AggregateState&>(state);
  worker.group_finder.forget();
  spill_->end(*worker.held);
  return Step::finished();
}

Step AggregateSink::finish(int64_t promised_bytes) {
  if (device_ && !std::exchange(has_device_parts_, true)) device_parts_ = device_->take();
  for (; !device_parts_.empty(); device_parts_.pop_back()) add(device_parts_.back());
  spill_->finish(promised_bytes);
  return Step::finished();
}

Step AggregateSink::run_finish_task(int64_t task) {
  spill_->run_finish_task(task);
  return Step::finished();
}

void AggregateSink::add(const codegen::GroupPart& part) {
  AggregateState worker(*node_, ctx_, spill_, false);
  Batch keys;
  keys.num_rows = part.num_groups;
  keys.columns = part.keys;
  spill_->with_groups(*worker.held, [&](GroupSet& groups, int64_t) {
    std::vector<int32_t> numbers(static_cast<size_t>(part.num_groups));
    if (!part.keys.empty()) {
      const std::span<const int32_t> found = worker.group_finder.find(keys, part.keys.size(), groups.table);
      numbers.assign(found.begin(), found.end());
    } else {
      for (int32_t& number : numbers) number = groups.table.find_or_insert({}, GroupTable::hash({}));
    }
    groups.resize();
    groups.has_order = false;
    for (size_t i = 0; i < node_->calls.size(); ++i) groups.accumulators[i]->merge_words(part.states[i], numbers);
  });
  spill_->end(*worker.held);
}

namespace {

/// Groups in memory, as other stages read them.
class AggregateRows final : public StageRows {
 public:
  AggregateRows(std::shared_ptr<GroupedStates> groups, bool in_order, const execution::OperatorContext& ctx)
      : groups_(std::move(groups)), in_order_(in_order), ctx_(ctx) {}

  std::unique_ptr<Source> make_source(int index, int count) const override {
    const int first = GroupedStates::kPartitions * index / count;
    const int last = GroupedStates::kPartitions * (index + 1) / count;
    return std::make_unique<AggregateSource>(groups_, first, last, in_order_ && count == 1, ctx_);
  }

 private:
  const std::shared_ptr<GroupedStates> groups_;
  const bool in_order_;
  const execution::OperatorContext ctx_;
};

}  // namespace

std::shared_ptr<const StageRows> group_rows(std::shared_ptr<GroupedStates> groups, bool in_order,
                                            const execution::OperatorContext& ctx) {
  return std::make_shared<AggregateRows>(std::move(groups), in_order, ctx);
}

std::shared_ptr<const StageRows> AggregateSink::rows(bool in_order) const {
  return has_spilled() ? spill_->spilled() : group_rows(result_, in_order, ctx_);
}

void AggregateSink::hand_on(const plan::Node& node, StageResults& results) { results.rows.emplace(&node, rows(true)); }

namespace {

/// A place among the groups of some partitions.
struct GroupsPlace {
  int partition = 0;  ///< the next one
  int last_partition = 0;
  std::span<const GroupSet> sets;
  int64_t next_group = 0;  ///< of the first set

  int64_t num_groups_left() const { return sets.empty() ? 0 : sets.front().num_groups() - next_group; }
  /// Goes on to the set that has the next group; to none where there are no more.
  void find_groups(GroupedStates& groups) {
    while (num_groups_left() == 0) {
      if (!sets.empty()) {
        sets = sets.subspan(1);
      } else if (partition < last_partition) {
        sets = groups.partition(partition);
        ++partition;
      } else {
        return;
      }
      next_group = 0;
    }
  }
};

struct AggregateSourceState final : State {
  int64_t morsel = -1;  ///< the one being read
  GroupsPlace place;
  int64_t sequence = 0;
};

}  // namespace

std::unique_ptr<State> AggregateSource::make_state() { return std::make_unique<AggregateSourceState>(); }

Step AggregateSource::next(State& state, Batch& out) {
  auto& worker = static_cast<AggregateSourceState&>(state);
  if (worker.morsel < 0) {
    worker.morsel = taken_.fetch_add(1, std::memory_order_relaxed);
    const int partition = first_ + static_cast<int>(worker.morsel) * width_;
    worker.place = {partition, partition + width_, {}, 0};
    worker.sequence = 0;
  }
  out.morsel = worker.morsel;
  if (worker.morsel >= num_morsels()) return Step::finished();
  groups_->prepare(reads_all_);
  worker.place.find_groups(*groups_);
  Batch batch = read(worker.place.sets, worker.place.next_group);
  // Where this has to wait, the batch is read again.
  GroupsPlace next = worker.place;
  next.next_group += batch.num_rows;
  next.find_groups(*groups_);
  worker.place = next;
  batch.morsel = worker.morsel;
  batch.sequence = worker.sequence++;
  batch.morsels_before = groups_->is_in_order() ? worker.morsel : columns::kNoOrder;
  batch.ends_morsel = next.sets.empty();
  if (batch.ends_morsel) worker.morsel = -1;
  out = std::move(batch);
  return Step::has_output();
}

Batch AggregateSource::read(std::span<const GroupSet> sets, int64_t first) const {
  if (sets.empty()) return groups_->no_groups();
  const int64_t num_left = sets.front().num_groups() - first;
  return read_groups(sets.front(), first, std::min(num_left, ctx_.batch_rows), groups_->encoder());
}

}  // namespace accelerant::operators
