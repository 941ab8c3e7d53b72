#include "planner/device_stages.h"

#include "base/error.h"
#include "expressions/program.h"
#include "plan/aggregate.h"
#include "plan/filter.h"
#include "plan/project.h"
#include "plan/scan.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace accelerant::planner {

using codegen::GroupCall;
using codegen::RowStep;
using device::kernels::AggregateKind;

namespace {

/// Returns the call of a device for an aggregate function.
GroupCall device_call(const plan::AggregateCall& call) {
  const char* name = plan::traits_of(call.kind).name;
  if (call.distinct) throw_unsupported(std::string(name) + " of distinct values");
  const int argument = call.arguments.empty() ? -1 : call.arguments.front();
  switch (call.kind) {
    case plan::AggregateKind::Count:
      if (call.arguments.size() > 1) throw_unsupported("count of several arguments");
      return {AggregateKind::Count, argument};
    case plan::AggregateKind::Sum:
    case plan::AggregateKind::Average: {
      const types::DataType& type = call.argument_types.front();
      if (type.is(types::TypeId::Float) || type.is(types::TypeId::Double)) return {AggregateKind::SumDouble, argument};
      if (!type.is_decimal() && !type.is_integral()) throw_unsupported(std::string(name) + " of " + type.to_string());
      const bool is_wide = type.physical() == types::PhysicalType::Int128;
      return {is_wide ? AggregateKind::SumInt128 : AggregateKind::SumInt64, argument};
    }
    case plan::AggregateKind::Min:
      return {AggregateKind::Minimum, argument};
    case plan::AggregateKind::Max:
      return {AggregateKind::Maximum, argument};
    default:
      throw_unsupported(name);
  }
}

/// Returns the step that leaves out the columns that only a scan's own filters read.
RowStep column_selection(const plan::Scan& scan) {
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> kept;
  const std::vector<io::ScanColumn>& columns = scan.spec->columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].filter_only) continue;
    kept.push_back(builder.input(static_cast<int>(i), columns[i].type, columns[i].nullable));
  }
  return {RowStep::Kind::Project, std::move(builder).finish(kept)};
}

operators::DeviceGrouping plan_grouping(const Stage& stage, std::shared_ptr<const execution::Parameters> parameters) {
  const auto& aggregate = stage.breaker->as<plan::Aggregate>();
  const auto& scan = stage.feeds.front().source->as<plan::Scan>();
  operators::DeviceGrouping grouping;
  grouping.steps.parameters = std::move(parameters);
  for (const io::ScanColumn& column : scan.spec->columns) {
    const bool is_string = column.type.physical() == types::PhysicalType::String;
    grouping.steps.inputs.push_back(
        {column.type, column.nullable, is_string ? device::ColumnLayout::Codes : device::ColumnLayout::Fixed});
  }
  std::vector<RowStep>& steps = grouping.steps.steps;
  for (const auto& condition : scan.spec->filters) steps.push_back({RowStep::Kind::Filter, condition});
  steps.push_back(column_selection(scan));
  for (const plan::NodePtr& node : stage.feeds.front().transforms) {
    if (const auto filter = plan::node_as<plan::Filter>(node)) {
      steps.push_back({RowStep::Kind::Filter, filter->program});
    } else {
      steps.push_back({RowStep::Kind::Project, node->as<plan::Project>().program});
    }
  }
  steps.push_back({RowStep::Kind::Project, aggregate.input});
  grouping.num_keys = static_cast<int>(aggregate.keys.size());
  for (const plan::AggregateCall& call : aggregate.calls) grouping.calls.push_back(device_call(call));
  if (const auto reason = codegen::FusedGroups::refusal_of(grouping.steps, grouping.num_keys, grouping.calls)) {
    throw_unsupported(*reason);
  }
  return grouping;
}

}  // namespace

bool has_device_shape(const Stage& stage) {
  if (!stage.breaker || !stage.breaker->is<plan::Aggregate>() || stage.feeds.size() != 1) return false;
  const Feed& feed = stage.feeds.front();
  return feed.source->is<plan::Scan>() && std::ranges::all_of(feed.transforms, [](const plan::NodePtr& node) {
           return node->is<plan::Filter>() || node->is<plan::Project>();
         });
}

std::variant<operators::DeviceGrouping, DeviceRefusal> plan_device_grouping(
    const Stage& stage, std::shared_ptr<const execution::Parameters> parameters) {
  try {
    return plan_grouping(stage, std::move(parameters));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return DeviceRefusal{error.message()};
  }
}

}  // namespace accelerant::planner
