#include "operators/grouping_sets.h"

#include "base/error.h"
#include "columns/gather.h"
#include "types/data_type.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;

struct GroupingSetsState final : State {
  std::vector<std::unique_ptr<State>> states;  ///< of each set's sink
  size_t num_combined = 0;
};

namespace {

/// Returns all keys of groups, or of the rows of a batch, whose columns begin with those of a set's node.
std::vector<ColumnPtr> all_keys(const GroupingSet& set, std::span<const ColumnPtr> kept, int64_t num_rows) {
  std::vector<ColumnPtr> keys;
  size_t next = 0;
  for (const ColumnPtr& constant : set.constants) {
    keys.push_back(constant ? Column::constant(constant, num_rows) : kept[next++]);
  }
  return keys;
}

/// Adds what comes before a source's morsels to the number of the one that it says, also where it throws.
class MorselBehind {
 public:
  MorselBehind(Batch& batch, int64_t before) : batch_(batch), before_(before) {}
  MorselBehind(const MorselBehind&) = delete;
  MorselBehind& operator=(const MorselBehind&) = delete;
  ~MorselBehind() { batch_.morsel += before_; }

 private:
  Batch& batch_;
  const int64_t before_;
};

struct GroupingSetsSourceState final : State {
  size_t set = 0;  ///< the one being read
  std::vector<std::unique_ptr<State>> states;
};

/// Emits the groups of one set after the other, with all keys.
class GroupingSetsSource final : public Source {
 public:
  GroupingSetsSource(std::shared_ptr<const std::vector<GroupingSet>> sets, std::vector<std::unique_ptr<Source>> sources)
      : sets_(std::move(sets)), sources_(std::move(sources)) {
    for (const auto& source : sources_) {
      first_morsels_.push_back(num_morsels_);
      num_morsels_ += source->num_morsels();
    }
  }

  std::string_view name() const override { return "Aggregate"; }

  std::unique_ptr<State> make_state() override {
    auto state = std::make_unique<GroupingSetsSourceState>();
    for (const auto& source : sources_) state->states.push_back(source->make_state());
    return state;
  }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<GroupingSetsSourceState&>(state);
    for (; worker.set < sources_.size(); ++worker.set) {
      const Step step = next_of(worker, out);
      if (step.kind == Step::Kind::Finished) continue;
      if (step.kind == Step::Kind::HasOutput) complete((*sets_)[worker.set], out);
      return step;
    }
    return Step::finished();
  }

  int64_t num_morsels() const override { return num_morsels_; }

 private:
  Step next_of(GroupingSetsSourceState& worker, Batch& out) {
    const MorselBehind behind(out, first_morsels_[worker.set]);
    return sources_[worker.set]->next(*worker.states[worker.set], out);
  }

  static void complete(const GroupingSet& set, Batch& out) {
    std::vector<ColumnPtr> columns = all_keys(set, out.columns, out.num_rows);
    const auto calls = out.columns.begin() + static_cast<ptrdiff_t>(set.node->keys.size());
    columns.insert(columns.end(), calls, out.columns.end());
    out.columns = std::move(columns);
    out.morsels_before = columns::kNoOrder;
  }

  const std::shared_ptr<const std::vector<GroupingSet>> sets_;
  const std::vector<std::unique_ptr<Source>> sources_;  ///< of each set
  std::vector<int64_t> first_morsels_;
  int64_t num_morsels_ = 0;
};

/// The groups of all sets as other stages read them.
class GroupingSetsRows final : public StageRows {
 public:
  GroupingSetsRows(std::vector<GroupingSet> sets, std::vector<std::shared_ptr<const StageRows>> rows)
      : sets_(std::make_shared<const std::vector<GroupingSet>>(std::move(sets))), rows_(std::move(rows)) {}

  std::unique_ptr<Source> make_source(int index, int count) const override {
    std::vector<std::unique_ptr<Source>> sources;
    for (const auto& rows : rows_) sources.push_back(rows->make_source(index, count));
    return std::make_unique<GroupingSetsSource>(sets_, std::move(sources));
  }

 private:
  const std::shared_ptr<const std::vector<GroupingSet>> sets_;
  const std::vector<std::shared_ptr<const StageRows>> rows_;  ///< of each set
};

}  // namespace

GroupingSetsSink::GroupingSetsSink(std::shared_ptr<const plan::Aggregate> node,
                                   std::shared_ptr<const GroupingSets> parts, const execution::OperatorContext& ctx,
                                   const std::shared_ptr<spill::SpillTarget>& target)
    : node_(std::move(node)), ctx_(ctx), parts_(std::move(parts)) {
  for (const GroupingSet& set : parts_->sets) sinks_.push_back(std::make_unique<AggregateSink>(set.node, ctx_, target));
}

std::unique_ptr<State> GroupingSetsSink::make_state() {
  auto state = std::make_unique<GroupingSetsState>();
  for (size_t i = 0; i < sinks_.size(); ++i) {
    const std::optional<size_t> finer = parts_->sets[i].finer;
    state->states.push_back(sinks_[i]->make_state(finer ? state->states[*finer].get() : nullptr));
  }
  return state;
}

size_t GroupingSetsSink::set_of(const Batch& batch) const {
  const Column& telling = *batch.columns[static_cast<size_t>(parts_->telling_column)];
  // All rows of a batch have the same number.
  const ColumnPtr first = columns::flatten(telling.slice(0, 1), ctx_.budget);
  const int64_t number =
      first->physical() == types::PhysicalType::Int32 ? *first->values<int32_t>() : *first->values<int64_t>();
  const auto set = std::ranges::find(parts_->sets, number, &GroupingSet::number);
  ACC_CHECK(set != parts_->sets.end());
  return static_cast<size_t>(set - parts_->sets.begin());
}

Step GroupingSetsSink::consume(State& state, Batch& in) {
  // A batch without rows may have errors.
  const size_t set = in.num_rows == 0 ? 0 : set_of(in);
  return sinks_[set]->consume(*static_cast<GroupingSetsState&>(state).states[set], in);
}

Step GroupingSetsSink::combine(State& state) {
  auto& worker = static_cast<GroupingSetsState&>(state);
  for (; worker.num_combined < sinks_.size(); ++worker.num_combined) {
    const Step step = sinks_[worker.num_combined]->combine(*worker.states[worker.num_combined]);
    if (step.kind == Step::Kind::Suspended) return step;
  }
  return Step::finished();
}

Step GroupingSetsSink::finish() {
  for (; num_finished_ < sinks_.size(); ++num_finished_) {
    AggregateSink& sink = *sinks_[num_finished_];
    const Step step = sink.finish(promised_bytes_);
    if (step.kind == Step::Kind::Suspended) return step;
    promised_bytes_ += sink.bytes_to_merge();
  }
  if (are_few()) join_groups();
  return Step::finished();
}

bool GroupingSetsSink::are_few() const {
  if (joined_) return true;
  int64_t num_groups = 0;
  for (const auto& sink : sinks_) {
    if (sink->has_spilled()) return false;
    num_groups += sink->groups()->largest_set();
  }
  return num_groups <= GroupOrder::kMostGroups;
}

GroupTable GroupingSetsSink::table_of(const KeyEncoder& encoder, int64_t num_groups) const {
  GroupTable found(ctx_.budget, encoder.key_bytes(), ctx_.cancellation);
  std::vector<int32_t> groups;
  for (int64_t row = 0; row < num_groups; ++row) {
    const std::string_view key = encoder.key(row);
    groups.push_back(found.find_or_insert(key, GroupTable::hash(key)));
  }
  GroupTable table(ctx_.budget, encoder.key_bytes(), ctx_.cancellation);
  table.append(found, groups);
  return table;
}

void GroupingSetsSink::join_groups() {
  if (!joined_) joined_ = std::make_shared<GroupedStates>(node_, ctx_);
  KeyEncoder encoder(node_->key_types(), ctx_.budget);
  for (; num_joined_ < sinks_.size(); ++num_joined_) {
    const GroupingSet& set = parts_->sets[num_joined_];
    GroupedStates& groups = *sinks_[num_joined_]->groups();
    joined_->take_over(groups, [&](const GroupTable& table) {
      std::vector<std::string_view> kept;
      for (int32_t group = 1; group < table.num_groups(); ++group) kept.push_back(table.key(group));
      const auto num_groups = static_cast<int64_t>(kept.size());
      std::vector<ColumnPtr> keys = all_keys(set, groups.encoder().decode(kept), num_groups);
      for (ColumnPtr& key : keys) key = columns::flatten(key, ctx_.budget);
      encoder.encode(keys, num_groups);
      return table_of(encoder, num_groups);
    });
  }
  joined_->finish();
}

int64_t GroupingSetsSink::num_finish_tasks() const {
  int64_t num_tasks = 0;
  for (const auto& sink : sinks_) num_tasks += sink->num_finish_tasks();
  return num_tasks;
}

Step GroupingSetsSink::run_finish_task(int64_t task) {
  auto sink = sinks_.begin();
  for (; task >= (*sink)->num_finish_tasks(); ++sink) task -= (*sink)->num_finish_tasks();
  return (*sink)->run_finish_task(task);
}

void GroupingSetsSink::hand_on(const plan::Node& node, StageResults& results) {
  if (joined_) {
    results.rows.emplace(&node, group_rows(joined_, true, ctx_));
    return;
  }
  std::vector<std::shared_ptr<const StageRows>> rows;
  for (const auto& sink : sinks_) rows.push_back(sink->rows(false));
  results.rows.emplace(&node, std::make_shared<GroupingSetsRows>(parts_->sets, std::move(rows)));
}

}  // namespace accelerant::operators
