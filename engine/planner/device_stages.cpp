#include "planner/device_stages.h"

#include "base/why_unsupported.h"
#include "codegen/fused_rows.h"
#include "expressions/program.h"
#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/project.h"
#include "plan/scan.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::planner {

using codegen::GroupCall;
using codegen::RowStep;

namespace {

/// Returns the call of a device for an aggregate function.
GroupCall device_call(const plan::AggregateCall& call) {
  if (call.distinct) throw_unsupported(std::string(call.name()) + " of distinct values");
  GroupCall made{call, call.arguments};
  if (made.form().num_words == 0)
    throw_unsupported(std::string(call.name()) + " of " + call.argument_types[0].to_string());
  return made;
}

/// Returns the step that leaves out the columns that only a scan's own filters read.
RowStep column_selection(const plan::Scan& scan) {
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> kept;
  for (const size_t i : scan.emitted_columns()) {
    const io::ScanColumn& column = scan.spec->columns[i];
    kept.push_back(builder.input(static_cast<int>(i), column.type, column.nullable));
  }
  return {RowStep::Kind::Project, std::move(builder).finish(kept)};
}

/// Returns the step that a transform is; only for filters and projections.
RowStep step_of(const plan::Node& node) {
  if (node.is<plan::Filter>()) return {RowStep::Kind::Filter, node.as<plan::Filter>().program};
  ACC_CHECK(node.is<plan::Project>());
  return {RowStep::Kind::Project, node.as<plan::Project>().program};
}

bool is_step(const plan::NodePtr& node) { return node->is<plan::Filter>() || node->is<plan::Project>(); }

/// Says whether a node filters, or emits something else than columns as they came.
bool computes(const plan::Node& node) {
  const RowStep step = step_of(node);
  if (step.kind == RowStep::Kind::Filter) return true;
  for (int i = 0; i < step.program->num_outputs(); ++i) {
    if (!step.program->input_of(i)) return true;
  }
  return false;
}

/// Says likewise of a scan and the first of the transforms after it.
bool computes(const Feed& feed, size_t num_transforms) {
  if (!feed.source->as<plan::Scan>().spec->filters.empty()) return true;
  return std::any_of(feed.transforms.begin(), feed.transforms.begin() + static_cast<ptrdiff_t>(num_transforms),
                     [](const plan::NodePtr& node) { return computes(*node); });
}

codegen::RowSteps scan_steps(const plan::Scan& scan) {
  codegen::RowSteps steps;
  for (const io::ScanColumn& column : scan.spec->columns) {
    const bool is_string = column.type.physical() == types::PhysicalType::String;
    steps.inputs.push_back(
        {column.type, column.nullable, is_string ? device::ColumnLayout::Codes : device::ColumnLayout::Fixed});
  }
  for (const auto& condition : scan.spec->filters) steps.steps.push_back({RowStep::Kind::Filter, condition});
  steps.steps.push_back(column_selection(scan));
  return steps;
}

/// Returns the steps of a scan and of the first transforms after it.
codegen::RowSteps first_steps(const Feed& feed, size_t num_transforms) {
  codegen::RowSteps steps = scan_steps(feed.source->as<plan::Scan>());
  for (size_t i = 0; i < num_transforms; ++i) steps.steps.push_back(step_of(*feed.transforms[i]));
  return steps;
}

/// Returns the types of the columns that the last projection makes.
std::vector<types::DataType> output_types(const codegen::RowSteps& steps) {
  const auto last = std::find_if(steps.steps.rbegin(), steps.steps.rend(),
                                 [](const RowStep& step) { return step.kind == RowStep::Kind::Project; });
  std::vector<types::DataType> types;
  for (int i = 0; i < last->program->num_outputs(); ++i) types.push_back(last->program->output_type(i));
  return types;
}

operators::DeviceGrouping plan_grouping(const Stage& stage) {
  const Feed& feed = stage.feeds.front();
  const auto& aggregate = stage.breaker->as<plan::Aggregate>();
  operators::DeviceGrouping grouping;
  grouping.steps = first_steps(feed, feed.transforms.size());
  grouping.steps.steps.push_back({RowStep::Kind::Project, aggregate.input});
  grouping.num_keys = static_cast<int>(aggregate.keys.size());
  for (const plan::AggregateCall& call : aggregate.calls) grouping.calls.push_back(device_call(call));
  if (const auto reason = codegen::FusedGroups::refusal_of(grouping.steps, grouping.num_keys, grouping.calls)) {
    throw_unsupported(*reason);
  }
  return grouping;
}

}  // namespace

bool has_grouping_shape(const Stage& stage) {
  if (!stage.breaker || !stage.breaker->is<plan::Aggregate>() || stage.feeds.size() != 1) return false;
  const Feed& feed = stage.feeds.front();
  return feed.source->is<plan::Scan>() && std::ranges::all_of(feed.transforms, is_step);
}

std::variant<operators::DeviceGrouping, DeviceRefusal> plan_device_grouping(const Stage& stage) {
  std::optional<operators::DeviceGrouping> grouping;
  if (const auto reason = why_unsupported([&] { grouping = plan_grouping(stage); })) {
    return DeviceRefusal{*reason};
  }
  return std::move(*grouping);
}

bool has_row_shape(const Feed& feed) {
  const auto end = std::ranges::find_if_not(feed.transforms, is_step);
  return feed.source->is<plan::Scan>() && computes(feed, static_cast<size_t>(end - feed.transforms.begin()));
}

std::variant<DeviceFeed, DeviceRefusal> plan_device_feed(const Feed& feed) {
  const auto end = std::ranges::find_if_not(feed.transforms, is_step);
  DeviceRefusal refusal;
  for (auto num_transforms = static_cast<size_t>(end - feed.transforms.begin());; --num_transforms) {
    if (!computes(feed, num_transforms)) return refusal;
    DeviceFeed planned{first_steps(feed, num_transforms), num_transforms, {}};
    const auto reason = codegen::FusedRows::refusal_of(planned.steps);
    if (!reason) {
      planned.types = output_types(planned.steps);
      return planned;
    }
    refusal.reason = *reason;
    if (num_transforms == 0) return refusal;
  }
}

DeviceNodes device_nodes(const Feed& feed, size_t num_transforms) {
  const auto is_filter = [&](size_t node) {
    return node == 0 ? !feed.source->as<plan::Scan>().spec->filters.empty()
                     : feed.transforms[node - 1]->is<plan::Filter>();
  };
  DeviceNodes found;
  for (size_t node = 0; node <= num_transforms; ++node) {
    if (is_filter(node)) found.after_filters.clear();
    const bool is_first = found.after_filters.empty() && !is_filter(node);
    (is_first ? found.before_filters : found.after_filters).push_back(node);
  }
  return found;
}

}  // namespace accelerant::planner
