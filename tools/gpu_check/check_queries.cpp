#include "aggregates/registry.h"
#include "base/error.h"
#include "captured_plans.h"
#include "check_pipelines.h"
#include "device/stopwatch.h"
#include "groups.h"
#include "lineitem.h"
#include "primitives.h"
#include "steps.h"

#include <algorithm>
#include <future>
#include <thread>

namespace accelerant::gpu_check {

namespace {

constexpr double kGiga = 1e9;

/// A query over generated rows.
struct Query {
  std::string name;
  PlannedGrouping plan;
};

/// The columns of a captured plan have to be of the types that are generated.
void check_types(const Query& query) {
  for (size_t i = 0; i < query.plan.columns.size(); ++i) {
    const GeneratedColumn& column = lineitem(query.plan.columns[i]);
    const types::DataType& type = query.plan.grouping.steps.inputs[i].type;
    if (type == column.type) continue;
    throw Error(ErrorKind::Internal, query.name + " reads " + column.name + " as " + type.to_string());
  }
}

/// More groups than a block keeps.
Query sum_by_day() {
  const std::vector<std::string> columns = {"l_shipdate", "l_quantity"};
  std::vector<codegen::InputColumn> inputs;
  for (const std::string& name : columns) inputs.push_back({lineitem(name).type, false, device::ColumnLayout::Fixed});
  const types::DataType money = inputs[1].type;
  Steps steps(std::move(inputs));
  steps.project({steps.column(0), steps.column(1)});
  return {
      "sum by day",
      {{steps.finish(), 1, {{aggregates::call_of("sum", {money}, types::DataType::decimal(25, 2)), {1}}}}, columns}};
}

Groups groups_on_host(const Query& query, int64_t first_row, int64_t end_row) {
  constexpr int64_t kBatchRows = 16'384;
  Groups groups(query.plan.grouping);
  for (int64_t first = first_row; first < end_row; first += kBatchRows) {
    const int64_t n = std::min(kBatchRows, end_row - first);
    groups.take_in(run_on_host(query.plan.grouping.steps, make_on_host(query.plan.columns, first, n)));
  }
  return groups;
}

/// On all cores, as large scales would take minutes on one.
Groups groups_on_host(const Query& query, int64_t num_rows) {
  const int64_t num_threads = std::max(1U, std::thread::hardware_concurrency());
  const int64_t part_rows = num_rows / num_threads + 1;
  std::vector<std::future<Groups>> parts;
  for (int64_t first = 0; first < num_rows; first += part_rows) {
    const int64_t end = std::min(first + part_rows, num_rows);
    parts.push_back(std::async(std::launch::async, [&query, first, end] { return groups_on_host(query, first, end); }));
  }
  Groups groups(query.plan.grouping);
  for (std::future<Groups>& part : parts) groups.take_in(part.get());
  return groups;
}

Groups take(const Query& query, codegen::FusedGroups& fused, device::DeviceStream& stream) {
  Groups groups(query.plan.grouping);
  for (const codegen::GroupPart& part : fused.take(stream, memory::process_budget())) groups.take_in(part);
  return groups;
}

/// A batch's groups come home with it where they are few, so that all a query does is in the figure.
void measure(const Query& query, codegen::FusedGroups& fused, device::DeviceStream& stream,
             const device::DeviceBatch& batch, Report& report) {
  const double seconds = least_seconds(stream, [&] { fused.update(stream, batch, memory::process_budget()); });
  const double rate = static_cast<double>(batch.num_rows * row_bytes(query.plan.columns)) / seconds / kGiga;
  report.measure(query.name + ", time", seconds * 1e3, "ms");
  report.measure(query.name + ", read", rate, "GB/s");
  const auto memory_rate = report.figure(kMemoryRate);
  if (memory_rate) report.measure(query.name + ", of the memory's rate", 100 * rate / *memory_rate, "%");
}

void check(codegen::Accelerator& accelerator, const Query& query, int64_t num_rows, Report& report) {
  check_types(query);
  const Grouping& grouping = query.plan.grouping;
  const auto stream = accelerator.device().create_stream(memory::process_budget());
  const device::DeviceBatch batch = make_on_device(*stream, query.plan.columns, num_rows);
  codegen::FusedGroups fused(grouping.steps, grouping.num_keys, grouping.calls, accelerator.compiler());
  report.measure(query.name + ", kernels made", wait_until_ready(fused), "ms");
  report.check(query.name, num_rows, [&] {
    const bool is_sound = fused.update(*stream, batch, memory::process_budget());
    const Groups found = take(query, fused, *stream);
    return Outcome{is_sound && found.bytes() == groups_on_host(query, num_rows).bytes(), found.checksum()};
  });
  measure(query, fused, *stream, batch, report);
}

}  // namespace

void check_queries(codegen::Accelerator& accelerator, int64_t num_rows, Report& report) {
  const auto attempt = [&](const std::string& name, const std::function<Query()>& make) {
    report.attempt(name, [&] { check(accelerator, make(), num_rows, report); });
  };
  for (const CapturedPlan& plan : captured_plans()) {
    attempt(plan.name, [&] { return Query{plan.name, plan_grouping(plan.message)}; });
  }
  attempt("sum by day", sum_by_day);
}

}  // namespace accelerant::gpu_check
