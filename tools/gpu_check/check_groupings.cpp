#include "aggregates/registry.h"
#include "check_pipelines.h"
#include "groups.h"
#include "mixed_rows.h"
#include "steps.h"

#include <numeric>
#include <string_view>
#include <utility>

namespace accelerant::gpu_check {

using types::DataType;
using types::TypeId;

namespace {

/// A pipeline that ends in groups.
struct GroupingCheck {
  const char* name;
  std::vector<MixedColumn> keys;
};

/// Returns the type of an aggregate's result.
DataType result_of(std::string_view name, const DataType& type) {
  if (name == "count") return DataType(TypeId::Long);
  if (name == "avg") return DataType(TypeId::Double);
  if (name != "sum") return type;
  if (type.is_decimal()) return DataType::decimal(types::kMaxDecimalPrecision, type.scale());
  return DataType(type.is_floating() ? TypeId::Double : TypeId::Long);
}

/// Aggregates of each kind, over arguments that follow the keys. Rows without a day of the first half are dropped.
Grouping make_grouping(const std::vector<MixedColumn>& keys) {
  constexpr std::pair<const char*, MixedColumn> kCalls[] = {
      {"sum", kLong}, {"sum", kMoney}, {"sum", kWide},     {"sum", kDouble}, {"min", kInt},   {"max", kDouble},
      {"max", kLong}, {"min", kDay},   {"bit_xor", kLong}, {"avg", kLong},   {"count", kText}};
  constexpr int32_t kMiddleDay = 9'300;
  Grouping grouping;
  grouping.num_keys = static_cast<int>(keys.size());
  Steps steps(mixed_inputs());
  const auto day = steps.literal(make_literal(DataType(TypeId::Date), kMiddleDay));
  steps.filter({steps.call("LessThan", {steps.column(kDay), day}, DataType(TypeId::Boolean))});
  std::vector<Steps::Slot> outputs;
  for (const MixedColumn key : keys) outputs.push_back(steps.column(key));
  const std::vector<codegen::InputColumn> inputs = mixed_inputs();
  for (const auto& [name, column] : kCalls) {
    const DataType& type = inputs[static_cast<size_t>(column)].type;
    grouping.calls.push_back(
        {aggregates::call_of(name, {type}, result_of(name, type)), {static_cast<int>(outputs.size())}});
    outputs.push_back(steps.column(column));
  }
  grouping.calls.push_back({aggregates::call_of("count", {}, DataType(TypeId::Long)), {}});
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
  return {found.bytes() == expected.bytes()};
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
