#include "api/replay.h"

#include "api/answer.h"
#include "api/captured_files.h"
#include "api/engine.h"
#include "base/error.h"
#include "plan/capture.h"
#include "plan/splits_message.h"
#include "runtime/prepared_query.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <utility>

namespace accelerant::api {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// CPU time of the process so far.
double process_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Returns VmHWM of the process; 0 where the kernel does not say. getrusage would count what was there before exec.
int64_t peak_rss_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    long kib = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %ld kB", &kib) == 1) return int64_t{kib} * 1024;
  }
  return 0;
}

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Replaces the value of a line `name=value`, or adds the line.
std::string with_option(const std::string& text, std::string_view name, const std::optional<std::string>& value) {
  if (!value) return text;
  std::string result;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = text.find('\n', start);
    end = end == std::string::npos ? text.size() : end + 1;
    const std::string line = text.substr(start, end - start);
    if (!line.starts_with(std::string(name) + "=")) result += line;
    start = end;
  }
  return result + std::string(name) + "=" + *value + "\n";
}

std::string with_option(const std::string& text, std::string_view name, std::optional<int64_t> value) {
  return value ? with_option(text, name, std::optional(std::to_string(*value))) : text;
}

/// A captured query made ready for this machine.
struct Prepared {
  plan::Capture capture;
  std::vector<uint8_t> splits;
  std::string options;
};

Prepared prepare_replay(const ReplayOptions& options) {
  Prepared prepared;
  try {
    prepared.capture = plan::decode_capture(read_file(options.capture));
  } catch (Error& error) {
    throw error.kind() == ErrorKind::User ? error : error.with_context(options.capture);
  }
  const PathMap paths(options.path_maps);
  check_files(prepared.capture.files, paths);
  prepared.splits = plan::with_paths(prepared.capture.splits, [&](std::string_view path) { return paths.local(path); });
  prepared.options = prepared.capture.options;
  prepared.options = with_option(prepared.options, "threads", options.threads);
  prepared.options = with_option(prepared.options, "batch_rows", options.batch_rows);
  prepared.options = with_option(prepared.options, "memory_limit_bytes", options.memory_limit_bytes);
  prepared.options = with_option(prepared.options, "device", options.device);
  return prepared;
}

std::vector<types::DataType> answer_types(const runtime::Query& query) {
  std::vector<types::DataType> types;
  for (const plan::OutputColumn& column : query.plan().root->output) types.push_back(column.type);
  return types;
}

/// Reads all rows into the summary; returns the CPU time that the summary took.
double drain(runtime::Stream& stream, AnswerSummary& summary) {
  constexpr auto kTimeout = std::chrono::seconds(60);
  double checksum_seconds = 0;
  for (;;) {
    columns::Batch batch;
    const auto popped = stream.next(batch, kTimeout);
    if (popped == operators::OutputQueue::Pop::End) return checksum_seconds;
    if (popped == operators::OutputQueue::Pop::TimedOut) continue;
    const double start = thread_cpu_seconds();
    summary.add(batch);
    checksum_seconds += thread_cpu_seconds() - start;
  }
}

void read_operators(const plan::Verdict& verdict, const runtime::Query& query, ReplayReport& report) {
  constexpr auto kPerNode = static_cast<size_t>(runtime::NodeContexts::kCountersPerNode);
  const std::vector<int64_t> counters = query.nodes().read();
  report.operators.clear();
  for (const plan::NodeVerdict& node : verdict.nodes) {
    const size_t first = static_cast<size_t>(node.plan_node) * kPerNode;
    if (first + kPerNode > counters.size()) continue;
    const int64_t* values = counters.data() + first;
    report.operators.push_back({node.plan_node, node.operator_name, values[0], values[1], values[2],
                                static_cast<double>(values[3]) * 1e-9, static_cast<double>(values[kPerNode - 1]) * 1e-9,
                                values[4], values[5], values[6], values[7]});
  }
}

/// Says whether an error of the engine is the one that Spark raised: the engine names the main condition only.
bool is_expected(const plan::CapturedAnswer& expected, const Error& error) {
  if (expected.error_class.empty() || error.kind() != ErrorKind::User || error.error_class().empty()) return false;
  const std::string main = expected.error_condition.substr(0, expected.error_condition.find('.'));
  return main.ends_with(error.error_class());
}

/// Opens the query; where it can't be, says what of it only Spark can compute.
std::shared_ptr<runtime::Query> open_captured(const Prepared& prepared, runtime::PreparedQuery& query) {
  try {
    return open_query(query, {prepared.splits, {}}, prepared.options);
  } catch (Error& error) {
    const std::string_view bridged = prepared.capture.setting("bridged");
    if (bridged.empty() || error.kind() != ErrorKind::Unsupported) throw;
    throw error.with_context("Spark's own code computes " + std::string(bridged) + " in this query");
  }
}

/// Runs the query once; notes what differs from the captured answer.
void run_once(const Prepared& prepared, ReplayReport& report) {
  const auto wall_start = Clock::now();
  const double cpu_start = process_cpu_seconds();
  double checksum_seconds = 0;
  std::vector<std::string> differences;
  const auto prepared_query = runtime::PreparedQuery::make(prepared.capture.plan, false);
  const auto query = open_captured(prepared, *prepared_query);
  AnswerSummary summary(answer_types(*query));
  try {
    const auto stream = query->open_stream(0, 1);
    checksum_seconds = drain(*stream, summary);
    stream->close();
    report.answer = summary.answer();
    differences = summary.differences_from(prepared.capture.answer);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::User) throw;
    report.answer = {};
    report.answer.error_class = error.error_class();
    report.answer.error_condition = error.error_class();
    if (!is_expected(prepared.capture.answer, error)) {
      const auto& expected = prepared.capture.answer;
      const std::string spark = expected.error_class.empty() ? "succeeded" : "failed with " + expected.error_condition;
      differences.push_back("answer: Spark " + spark + ", here it failed: " + error.error_class() + " " +
                            error.message());
    }
  }
  const std::chrono::duration<double> wall = Clock::now() - wall_start;
  report.runs.push_back({wall.count() - checksum_seconds, process_cpu_seconds() - cpu_start - checksum_seconds});
  if (report.differences.empty()) report.differences = std::move(differences);
  read_operators(prepared_query->verdict(), *query, report);
}

}  // namespace

ReplayReport replay(const ReplayOptions& options) {
  const Prepared prepared = prepare_replay(options);
  ReplayReport report;
  report.capture = options.capture;
  report.spark_version = prepared.capture.setting("spark.version");
  report.captured_at = prepared.capture.setting("captured.at");
  report.options = prepared.options;
  report.files = static_cast<int64_t>(prepared.capture.files.size());
  for (const plan::CapturedFile& file : prepared.capture.files) report.file_bytes += file.size_bytes;
  report.expected = prepared.capture.answer;
  if (options.threads) configure("threads=" + std::to_string(*options.threads) + "\n");
  for (int run = 0; run < options.repeat; ++run) run_once(prepared, report);
  report.peak_rss_bytes = peak_rss_bytes();
  return report;
}

}  // namespace accelerant::api
