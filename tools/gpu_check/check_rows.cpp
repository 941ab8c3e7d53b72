#include "cells.h"
#include "check_pipelines.h"
#include "codegen/fused_rows.h"
#include "groups.h"
#include "mixed_rows.h"
#include "steps.h"

#include <numeric>

namespace accelerant::gpu_check {

using expressions::EvalMode;
using types::DataType;
using types::TypeId;
using Slot = Steps::Slot;

namespace {

const DataType kIntType(TypeId::Int);
const DataType kBoolean(TypeId::Boolean);

/// A pipeline that ends in rows.
struct RowsCheck {
  const char* name;
  codegen::RowSteps (*make)();
};

Slot integer(Steps& steps, int32_t value) { return steps.literal(make_literal(kIntType, value)); }

codegen::RowSteps numbers() {
  Steps steps(mixed_inputs());
  steps.filter({steps.call("GreaterThan", {steps.column(kInt), integer(steps, -30)}, kBoolean)});
  const DataType product = DataType::decimal(19, 4);
  const Slot sum =
      steps.call("Add", {steps.column(kWide), steps.column(kWide)}, DataType::decimal(38, 4), EvalMode::Try);
  steps.project({steps.column(kInt), steps.call("Remainder", {steps.column(kInt), integer(steps, 7)}, kIntType),
                 steps.call("Add", {steps.column(kLong), steps.column(kLong)}, DataType(TypeId::Long)),
                 steps.call("Multiply", {steps.column(kMoney), steps.column(kMoney)}, product), sum,
                 steps.call("Multiply", {steps.column(kDouble), steps.column(kDouble)}, DataType(TypeId::Double)),
                 steps.call("Not", {steps.column(kFlag)}, kBoolean), steps.column(kDay), steps.column(kWide)});
  return steps.finish();
}

codegen::RowSteps strings() {
  Steps steps(mixed_inputs());
  steps.filter({steps.call("IsNotNull", {steps.column(kCode)}, kBoolean)});
  const Slot entry = steps.literal(make_strings({"N"}));
  steps.project({steps.column(kText), steps.column(kCode), steps.call("Length", {steps.column(kText)}, kIntType),
                 steps.call("StartsWith", {steps.column(kText), steps.column(kCode)}, kBoolean),
                 steps.call("EqualTo", {steps.column(kCode), entry}, kBoolean)});
  return steps.finish();
}

/// Two filters with a projection between them.
codegen::RowSteps several_steps() {
  Steps steps(mixed_inputs());
  steps.filter({steps.column(kFlag)});
  steps.project({steps.call("Subtract", {steps.column(kInt), integer(steps, 1)}, kIntType), steps.column(kText),
                 steps.column(kMoney)});
  steps.filter({steps.call("LessThan", {steps.column(0), integer(steps, 0)}, kBoolean)});
  steps.project({steps.column(2), steps.column(1), steps.column(0)});
  return steps.finish();
}

codegen::RowSteps no_rows() {
  Steps steps(mixed_inputs());
  steps.filter({steps.call("GreaterThan", {steps.column(kInt), integer(steps, 1'000)}, kBoolean)});
  steps.project({steps.column(kInt), steps.column(kText), steps.column(kCode)});
  return steps.finish();
}

/// Some products overflow: those batches are given back.
codegen::RowSteps errors() {
  Steps steps(mixed_inputs());
  steps.project({steps.call("Multiply", {steps.column(kInt), integer(steps, 50'000'000)}, kIntType)});
  return steps.finish();
}

constexpr RowsCheck kChecks[] = {{"rows of numbers", numbers},
                                 {"rows of strings", strings},
                                 {"rows of several steps", several_steps},
                                 {"rows that are all dropped", no_rows},
                                 {"rows in error", errors}};

Outcome compare(codegen::FusedRows& fused, const codegen::RowSteps& steps, device::Device& device, int64_t num_rows) {
  const columns::Batch rows = make_mixed_rows(num_rows);
  const columns::Batch expected = run_on_host(steps, rows);
  const auto stream = device.create_stream(memory::process_budget());
  std::vector<int> positions(rows.columns.size());
  std::iota(positions.begin(), positions.end(), 0);
  const device::DeviceBatch batch = device::upload(*stream, rows, positions, memory::process_budget());
  stream->synchronize();
  const auto made = fused.run(*stream, batch);
  if (made.has_value() != expected.errors.empty()) return {false, "errors differ"};
  if (!made) return {true};
  const std::string found = difference(device::download(*stream, *made, memory::process_budget()), expected);
  return {found.empty(), found};
}

}  // namespace

void check_rows(codegen::Accelerator& accelerator, std::span<const int64_t> sizes, Report& report) {
  for (const RowsCheck& each : kChecks) {
    report.attempt(each.name, [&] {
      const codegen::RowSteps steps = each.make();
      codegen::FusedRows fused(steps, accelerator.compiler());
      report.measure(std::string(each.name) + ", kernels made", wait_until_ready(fused), "ms");
      for (const int64_t n : sizes)
        report.check(each.name, n, [&] { return compare(fused, steps, accelerator.device(), n); });
    });
  }
}

}  // namespace accelerant::gpu_check
