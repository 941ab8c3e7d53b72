#include "planner/runtime_filters.h"

#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "operators/join_build.h"
#include "plan/filter.h"
#include "plan/join.h"
#include "plan/project.h"
#include "plan/scan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::planner {

namespace {

using expressions::Program;

/// Build sides of more rows are not looked at: few of them leave files out.
constexpr int64_t kMaxBuildRows = 128 * 1024;

/// Says whether nobody notices that a join's keys are computed once more, those of files that are left out included.
bool is_quiet(const plan::Join& join) {
  return join.probe_keys() && !join.probe_keys()->can_fail() && !join.build_keys()->calls_outside();
}

/// Columns on their way through transforms, as positions in what the source emits; nullopt: computed.
using Origins = std::vector<std::optional<int>>;

/// Follows a source's columns through the transforms of a feed and collects what its joins ask of them.
class FilterCollector {
 public:
  FilterCollector(const plan::Scan& scan, const Results& results, std::shared_ptr<memory::Budget> budget)
      : results_(results), budget_(std::move(budget)), origins_(scan.output.size()) {
    for (size_t i = 0; i < origins_.size(); ++i) {
      if (scan.spec->columns[i].partition_index >= 0) origins_[i] = static_cast<int>(i);
    }
  }

  bool follows_any() const {
    return std::any_of(origins_.begin(), origins_.end(), [](const auto& origin) { return origin.has_value(); });
  }

  void pass(const plan::NodePtr& node) {
    if (node->is<plan::Filter>()) return;
    if (const auto join = plan::node_as<plan::Join>(node)) {
      if (join->drops_unmatched_probe_rows() && is_quiet(*join)) add_filters(*join);
      return pass_join(*join);
    }
    const auto project = plan::node_as<plan::Project>(node);
    Origins passed(node->output.size());
    for (size_t i = 0; project && i < passed.size(); ++i) {
      const std::optional<int> input = project->program->input_of(static_cast<int>(i));
      if (input) passed[i] = origins_[static_cast<size_t>(*input)];
    }
    origins_ = std::move(passed);
  }

  std::vector<std::shared_ptr<const Program>> take() { return std::move(filters_); }

 private:
  void add_filters(const plan::Join& join) {
    const auto& build = static_cast<const operators::JoinBuild&>(*results_.breakers.at(&join));
    const operators::JoinTable& table = *build.result()->table;
    if (table.num_rows() > kMaxBuildRows) return;
    columns::Batch keys;
    for (int key = 0; key < join.probe_keys()->num_outputs(); ++key) {
      expressions::ProgramBuilder builder;
      const auto value = builder.include(*join.probe_keys(), key, origins_);
      const types::DataType& type = join.probe_keys()->output_type(key);
      if (!value || type.is_floating()) continue;  // lists compare the bits of floats, joins their values
      if (keys.columns.empty()) keys = keys_of(join, table);
      const auto condition = builder.in_list(*value, columns::flatten(keys.columns[static_cast<size_t>(key)], budget_));
      filters_.push_back(std::move(builder).finish({&condition, 1}));
    }
  }

  /// Returns the keys of a built side; one row of nulls, which equal nothing, if it has no rows.
  columns::Batch keys_of(const plan::Join& join, const operators::JoinTable& table) const {
    columns::Batch rows;
    rows.num_rows = table.num_rows();
    rows.columns = table.columns();
    const auto& program = join.build_keys();
    if (rows.num_rows > 0) {
      return expressions::Evaluator(program, budget_, join.plan_node, results_.parameters).project(rows);
    }
    columns::Batch keys;
    keys.num_rows = 1;
    for (int key = 0; key < program->num_outputs(); ++key)
      keys.columns.push_back(columns::Column::nulls(program->output_type(key), 1, budget_));
    return keys;
  }

  /// A join emits both sides' columns, or the left ones alone.
  void pass_join(const plan::Join& join) {
    Origins passed(join.output.size());
    const size_t first = join.builds_left ? join.inputs[0]->output.size() : 0;
    for (size_t i = 0; i < origins_.size() && first + i < passed.size(); ++i) passed[first + i] = origins_[i];
    origins_ = std::move(passed);
  }

  const Results& results_;
  const std::shared_ptr<memory::Budget> budget_;
  Origins origins_;
  std::vector<std::shared_ptr<const Program>> filters_;
};

}  // namespace

std::vector<std::shared_ptr<const Program>> runtime_filters(const Feed& feed, const Results& results,
                                                            const std::shared_ptr<memory::Budget>& budget) {
  const auto scan = plan::node_as<plan::Scan>(feed.source);
  if (!scan) return {};
  FilterCollector collector(*scan, results, budget);
  for (const plan::NodePtr& node : feed.transforms) {
    if (!collector.follows_any()) break;
    collector.pass(node);
  }
  return collector.take();
}

}  // namespace accelerant::planner
