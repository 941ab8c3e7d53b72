#include "planner/device_costs.h"

#include "columns/column.h"
#include "expressions/evaluator.h"
#include "expressions/instruction.h"
#include "expressions/program.h"
#include "plan/scan.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace accelerant::planner {

namespace {

// What work on one value takes on the host, in instructions over one value: docs/design/device.md has how these were
// found.
constexpr double kStoredByte = 2.6;
constexpr double kKeptValue = 2.0;
constexpr double kInstruction = 0.75;  // filters leave fewer rows to those that follow
constexpr double kKey = 3.0;
constexpr double kKeyOfMany = 60.0;
constexpr double kCall = 3.0;
/// Groups whose table no longer fits a core's caches.
constexpr double kManyGroups = 65'536;

// What a device launches and waits for, a row group.
constexpr double kLaunches = 8;
constexpr double kColumnLaunches = 3;
constexpr double kGroupLaunches = 6;
constexpr double kMadeLaunches = 2;
constexpr double kWaits = 4;
// How often bytes pass its memory: stored ones are written, decompressed and decoded, decoded ones written and read.
constexpr double kStoredPasses = 3;
constexpr double kDecodedPasses = 2;
/// Memory traffic that stands for an instruction.
constexpr double kInstructionBytes = 1;

constexpr double kStringBytes = 16;

double width_of(const types::DataType& type) {
  if (type.physical() == types::PhysicalType::String) return kStringBytes;
  return static_cast<double>(types::width_of(type.physical()));
}

double num_instructions(const codegen::RowSteps& steps) {
  size_t count = 0;
  for (const codegen::RowStep& step : steps.steps) {
    count += static_cast<size_t>(std::ranges::count_if(step.program->parts().instructions, [](const auto& instruction) {
      return instruction.operation != expressions::Operation::Input &&
             instruction.operation != expressions::Operation::Literal;
    }));
  }
  return static_cast<double>(count);
}

/// Returns the work of a scan and of the programs over its rows.
PipelineWork scan_work(const Feed& feed, const codegen::RowSteps& steps, size_t num_transforms, const Tables& tables,
                       Estimator& estimator) {
  const plan::Scan& scan = feed.source->as<plan::Scan>();
  const operators::Table& table = *tables.at(scan.plan_node);
  const plan::Node& last = num_transforms == 0 ? scan : *feed.transforms[num_transforms - 1];
  PipelineWork work;
  work.row_groups = 1;
  work.rows = static_cast<double>(table.num_rows());
  work.kept_rows = std::min(work.rows, estimator.rows(last));
  work.instructions = num_instructions(steps);
  for (size_t i = 0; i < scan.spec->columns.size(); ++i) {
    const io::ScanColumn& column = scan.spec->columns[i];
    if (column.partition_index >= 0) continue;
    const io::ColumnSummary summary = table.summarize(static_cast<int>(i));
    ++work.num_columns;
    work.row_groups = std::max(work.row_groups, static_cast<double>(summary.num_chunks));
    work.stored_bytes += static_cast<double>(summary.stored_bytes);
    work.decoded_bytes += work.rows * width_of(column.type);
  }
  return work;
}

/// Runs a program of three instructions over a batch for a while.
HostRates measure_host() {
  constexpr int64_t kRows = 16'384;
  constexpr int kInstructions = 3;
  constexpr int kRuns = 20;
  const types::DataType type(types::TypeId::Long);
  const auto budget = std::make_shared<memory::Budget>("measuring the host", memory::Budget::kUnlimited);
  columns::Batch batch;
  batch.num_rows = kRows;
  for (int i = 0; i < 2; ++i) {
    columns::FlatBuilder builder(type, types::PhysicalType::Int64, kRows, budget);
    for (int64_t row = 0; row < kRows; ++row) builder.values<int64_t>()[row] = row * (i + 1);
    batch.columns.push_back(builder.finish());
  }
  const std::string package = "org.apache.spark.sql.catalyst.expressions.";
  expressions::ProgramBuilder builder;
  const expressions::Slot a = builder.input(0, type, false);
  const expressions::Slot b = builder.input(1, type, false);
  const expressions::Slot product = builder.call(package + "Multiply", {a, b}, type, expressions::EvalMode::Ansi, -1);
  const expressions::Slot sum = builder.call(package + "Add", {product, a}, type, expressions::EvalMode::Ansi, -1);
  const expressions::Slot is_more = builder.call(
      package + "GreaterThan", {sum, b}, types::DataType(types::TypeId::Boolean), expressions::EvalMode::Ansi, -1);
  expressions::Evaluator evaluator(std::move(builder).finish(std::vector{is_more}), budget, -1);
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(evaluator.project(batch));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return {least / static_cast<double>(kRows * kInstructions)};
}

double host_seconds(const PipelineWork& work, const HostRates& rates, int num_threads) {
  const double key = work.num_groups > kManyGroups ? kKeyOfMany : kKey;
  const double values = work.stored_bytes * kStoredByte + work.rows * work.instructions * kInstruction +
                        work.kept_rows * (work.num_columns * kKeptValue + work.num_keys * key + work.num_calls * kCall);
  return values * rates.value_seconds / std::clamp<double>(work.row_groups, 1, num_threads);
}

double device_seconds(const PipelineWork& work, const device::DeviceRates& rates) {
  const double launches = kLaunches + work.num_columns * kColumnLaunches + work.num_made * kMadeLaunches +
                          (work.num_keys > 0 ? kGroupLaunches : 0);
  const double traffic = work.stored_bytes * kStoredPasses + work.decoded_bytes * kDecodedPasses + work.made_bytes +
                         work.rows * work.instructions * kInstructionBytes;
  return work.row_groups * (launches * rates.launch_seconds + kWaits * rates.wait_seconds) +
         work.stored_bytes / rates.upload_bytes + traffic / rates.memory_bytes + work.made_bytes / rates.download_bytes;
}

}  // namespace

const HostRates& host_rates() {
  static const HostRates kRates = measure_host();
  return kRates;
}

PipelineWork work_of(const Stage& stage, const operators::DeviceGrouping& grouping, const Tables& tables,
                     Estimator& estimator) {
  const Feed& feed = stage.feeds.front();
  PipelineWork work = scan_work(feed, grouping.steps, feed.transforms.size(), tables, estimator);
  work.num_keys = grouping.num_keys;
  work.num_groups = estimator.rows(*stage.breaker);
  work.num_calls = static_cast<double>(grouping.calls.size());
  return work;
}

PipelineWork work_of(const Feed& feed, const DeviceFeed& planned, const Tables& tables, Estimator& estimator) {
  PipelineWork work = scan_work(feed, planned.steps, planned.num_transforms, tables, estimator);
  work.num_made = static_cast<double>(planned.types.size());
  for (const types::DataType& type : planned.types) work.made_bytes += work.kept_rows * width_of(type);
  return work;
}

PlacementCosts costs_of(const PipelineWork& work, const device::DeviceRates& device, const HostRates& host,
                        int num_threads) {
  return {device_seconds(work, device), host_seconds(work, host, num_threads)};
}

std::string show_seconds(double seconds) {
  constexpr double kLong = 100;
  const bool is_short = seconds < 1;
  const double value = is_short ? seconds * 1e3 : seconds;
  char text[32];
  std::snprintf(text, sizeof text, value < kLong ? "%.2g %s" : "%.0f %s", value, is_short ? "ms" : "s");
  return text;
}

}  // namespace accelerant::planner
