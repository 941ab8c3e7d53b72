#include "check_pipelines.h"

#include "columns/gather.h"
#include "device/primitives/update_groups.h"
#include "expressions/evaluator.h"
#include "functions/hash/xx_hash64.h"
#include "lineitem.h"
#include "pipelines.h"
#include "stopwatch.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

namespace accelerant::gpu_check {

using functions::ExactSum;

namespace {

/// What a group is: the number of its rows, and a sum a call.
struct Group {
  int64_t num_rows = 0;
  std::vector<ExactSum> sums;
};
/// By keys: codes of strings, or values.
using Groups = std::map<std::vector<int32_t>, Group>;

int32_t key_at(const columns::Column& column, int64_t row) {
  return column.is_dictionary() ? column.indices()[row] : column.values<int32_t>()[row];
}

int128 value_at(const columns::Column& column, int64_t row) {
  if (column.physical() == types::PhysicalType::Int128) return column.values<int128>()[row];
  return column.values<int64_t>()[row];
}

Group& group_of(Groups& groups, std::span<const columns::ColumnPtr> keys, int64_t row, size_t num_calls) {
  std::vector<int32_t> key;
  for (const columns::ColumnPtr& column : keys) key.push_back(key_at(*column, row));
  Group& group = groups[key];
  group.sums.resize(num_calls, ExactSum::init());
  return group;
}

void take_in(const Pipeline& pipeline, const columns::Batch& rows, Groups& groups) {
  const std::span keys(rows.columns.data(), static_cast<size_t>(pipeline.num_keys));
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    Group& group = group_of(groups, keys, row, pipeline.calls.size());
    ++group.num_rows;
    for (size_t call = 0; call < pipeline.calls.size(); ++call) {
      group.sums[call].update(value_at(*rows.columns[static_cast<size_t>(pipeline.calls[call].argument)], row));
    }
  }
}

/// Does the pipeline with the host's evaluator, a batch after the other.
Groups run_on_host(const Pipeline& pipeline, int64_t num_rows) {
  constexpr int64_t kBatchRows = 16'384;
  std::vector<expressions::Evaluator> evaluators;
  for (const codegen::RowStep& step : pipeline.steps.steps) {
    evaluators.emplace_back(step.program, memory::process_budget(), 0);
  }
  Groups groups;
  for (int64_t first = 0; first < num_rows; first += kBatchRows) {
    columns::Batch batch = make_on_host(first, std::min(kBatchRows, num_rows - first));
    for (size_t i = 0; i < evaluators.size(); ++i) {
      const bool is_filter = pipeline.steps.steps[i].kind == codegen::RowStep::Kind::Filter;
      batch = is_filter ? evaluators[i].filter(std::move(batch)) : evaluators[i].project(batch);
    }
    take_in(pipeline, columns::compact(std::move(batch), memory::process_budget()), groups);
  }
  return groups;
}

/// Merges the groups that came from a device.
Groups merged(const Pipeline& pipeline, const std::vector<codegen::GroupPart>& parts) {
  Groups groups;
  for (const codegen::GroupPart& part : parts) {
    for (int64_t i = 0; i < part.num_groups; ++i) {
      Group& group = group_of(groups, part.keys, i, pipeline.calls.size());
      group.num_rows += part.num_rows[static_cast<size_t>(i)];
      for (size_t call = 0; call < pipeline.calls.size(); ++call) {
        const auto width = static_cast<size_t>(device::num_state_words(pipeline.calls[call].kind));
        group.sums[call].merge(device::exact_sum_of(part.states[call].data() + static_cast<size_t>(i) * width));
      }
    }
  }
  return groups;
}

/// Returns what tells results apart, as 16 hexadecimal digits.
std::string checksum_of(const Groups& groups) {
  std::vector<int64_t> words;
  for (const auto& [key, group] : groups) {
    words.insert(words.end(), key.begin(), key.end());
    words.push_back(group.num_rows);
    for (const ExactSum& sum : group.sums) {
      words.insert(words.end(),
                   {static_cast<int64_t>(sum.low), static_cast<int64_t>(sum.low >> 64), sum.high, sum.count});
    }
  }
  char digits[17];
  const auto bytes = static_cast<int64_t>(words.size() * sizeof(int64_t));
  const uint64 hash = functions::xx_hash64_bytes(reinterpret_cast<const char*>(words.data()), bytes, 42);
  std::snprintf(digits, sizeof digits, "%016lx", hash);
  return digits;
}

void wait_until_ready(codegen::FusedGroups& groups) {
  while (!groups.ready()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void check_pipeline(codegen::Accelerator& accelerator, const Pipeline& pipeline, int64_t num_rows, Report& report) {
  const auto stream = accelerator.device().create_stream();
  const device::DeviceBatch batch = make_on_device(*stream, num_rows);
  codegen::FusedGroups groups(pipeline.steps, pipeline.num_keys, pipeline.calls, accelerator.compiler());
  const auto start = std::chrono::steady_clock::now();
  wait_until_ready(groups);
  const std::chrono::duration<double, std::milli> compiled = std::chrono::steady_clock::now() - start;
  const bool is_sound = groups.update(*stream, batch, memory::process_budget());
  const std::string checksum = checksum_of(merged(pipeline, groups.take(*stream, memory::process_budget())));
  const bool is_equal = is_sound && checksum == checksum_of(run_on_host(pipeline, num_rows));
  report.check(pipeline.name, num_rows, [&] { return Outcome{is_equal, checksum}; });
  const double seconds = least_seconds(*stream, [&] { groups.update(*stream, batch, memory::process_budget()); });
  static_cast<void>(groups.take(*stream, memory::process_budget()));
  constexpr double kGiga = 1e9;
  report.measure(pipeline.name + ", kernels made", compiled.count(), "ms");
  report.measure(pipeline.name + ", read", static_cast<double>(num_rows * pipeline.row_bytes) / seconds / kGiga,
                 "GB/s");
}

}  // namespace

void check_pipelines(codegen::Accelerator& accelerator, int64_t num_rows, Report& report) {
  for (const Pipeline& pipeline : make_pipelines()) {
    report.attempt(pipeline.name, [&] { check_pipeline(accelerator, pipeline, num_rows, report); });
  }
}

}  // namespace accelerant::gpu_check
