#include "check_pipelines.h"
#include "groups.h"
#include "mixed_rows.h"
#include "steps.h"

#include <numeric>

namespace accelerant::gpu_check {

using device::kernels::AggregateKind;
using types::DataType;
using types::TypeId;

namespace {

/// A pipeline that ends in groups.
struct GroupingCheck {
  const char* name;
  std::vector<MixedColumn> keys;
};

/// Aggregates of each kind, over arguments that follow the keys. Rows without a day of the first half are dropped.
Grouping make_grouping(const std::vector<MixedColumn>& keys) {
  constexpr std::pair<AggregateKind, MixedColumn> kCalls[] = {
      {AggregateKind::SumInt64, kLong},    {AggregateKind::SumInt64, kMoney}, {AggregateKind::SumInt128, kWide},
      {AggregateKind::SumDouble, kDouble}, {AggregateKind::Minimum, kInt},    {AggregateKind::Maximum, kDouble},
      {AggregateKind::Maximum, kLong},     {AggregateKind::Minimum, kDay},    {AggregateKind::Count, kText}};
  constexpr int32_t kMiddleDay = 9'300;
  Grouping grouping;
  grouping.num_keys = static_cast<int>(keys.size());
  Steps steps(mixed_inputs());
  const auto day = steps.literal(make_literal(DataType(TypeId::Date), kMiddleDay));
  steps.filter({steps.call("LessThan", {steps.column(kDay), day}, DataType(TypeId::Boolean))});
  std::vector<Steps::Slot> outputs;
  for (const MixedColumn key : keys) outputs.push_back(steps.column(key));
  for (const auto& [kind, column] : kCalls) {
    grouping.calls.push_back({kind, static_cast<int>(outputs.size())});
    outputs.push_back(steps.column(column));
  }
  grouping.calls.push_back({AggregateKind::Count, -1});
  steps.project(outputs);
  grouping.steps = steps.finish();
  return grouping;
}

/// Takes the rows in twice, so that groups meet themselves again.
Outcome compare(codegen::FusedGroups& fused, const Grouping& grouping, device::Device& device, int64_t num_rows) {
  const columns::Batch rows = make_mixed_rows(num_rows);
  const auto stream = device.create_stream(memory::process_budget());
  std::vector<int> positions(rows.columns.size());
  std::iota(positions.begin(), positions.end(), 0);
  const device::DeviceBatch batch = device::upload(*stream, rows, positions, memory::process_budget());
  stream->synchronize();
  const columns::Batch kept = run_on_host(grouping.steps, rows);
  Groups expected(grouping);
  Groups found(grouping);
  for (int i = 0; i < 2; ++i) {
    if (!fused.update(*stream, batch, memory::process_budget())) return {false, "rows in error"};
    expected.take_in(kept);
  }
  for (const codegen::GroupPart& part : fused.take(*stream, memory::process_budget())) found.take_in(part);
  if (found.size() != expected.size()) {
    return {false, std::to_string(found.size()) + " groups instead of " + std::to_string(expected.size())};
  }
  return {found.words() == expected.words()};
}

}  // namespace

void check_groupings(codegen::Accelerator& accelerator, std::span<const int64_t> sizes, Report& report) {
  const GroupingCheck checks[] = {{"groups without keys", {}},
                                  {"groups by codes and booleans", {kCode, kFlag}},
                                  {"groups by integers and days", {kInt, kDay}},
                                  {"groups by codes and bigints", {kCode, kLong}},
                                  {"groups by decimals", {kMoney}}};
  for (const GroupingCheck& each : checks) {
    report.attempt(each.name, [&] {
      const Grouping grouping = make_grouping(each.keys);
      codegen::FusedGroups fused(grouping.steps, grouping.num_keys, grouping.calls, accelerator.compiler());
      report.measure(std::string(each.name) + ", kernels made", wait_until_ready(fused), "ms");
      for (const int64_t n : sizes) {
        report.check(each.name, n, [&] { return compare(fused, grouping, accelerator.device(), n); });
      }
    });
  }
}

}  // namespace accelerant::gpu_check
