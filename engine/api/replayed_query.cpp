#include "api/replayed_query.h"

#include "api/answer.h"
#include "api/captured_files.h"
#include "api/engine.h"
#include "base/error.h"
#include "operators/expression_error.h"
#include "plan/splits_message.h"
#include "runtime/prepared_query.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
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

/// Says whether an error of the engine may be the one that Spark raised: it names the main condition only, and of some
/// expressions none, as Spark's own code finds it.
bool is_expected(const plan::CapturedAnswer& expected, const Error& error) {
  if (expected.error_class.empty() || error.kind() != ErrorKind::User) return false;
  if (error.error_class().empty()) return dynamic_cast<const operators::ExpressionError*>(&error) != nullptr;
  const std::string main = expected.error_condition.substr(0, expected.error_condition.find('.'));
  return main.ends_with(error.error_class());
}

plan::Capture read_capture(const std::string& path) {
  try {
    return plan::decode_capture(read_file(path));
  } catch (Error& error) {
    throw error.kind() == ErrorKind::User ? error : error.with_context(path);
  }
}

}  // namespace

ReplayedQuery::ReplayedQuery(const ReplayOptions& options) : capture_(read_capture(options.capture)) {
  const PathMap paths(options.path_maps);
  check_files(capture_.files, paths);
  splits_ = plan::with_paths(capture_.splits, [&](std::string_view path) { return paths.local(path); });
  options_ = with_option(capture_.options, "threads", options.threads);
  options_ = with_option(options_, "batch_rows", options.batch_rows);
  options_ = with_option(options_, "memory_limit_bytes", options.memory_limit_bytes);
  options_ = with_option(options_, "device", options.device);
}

std::shared_ptr<runtime::Query> ReplayedQuery::open(runtime::PreparedQuery& query) const {
  try {
    return open_query(query, {splits_, {}}, options_);
  } catch (Error& error) {
    const std::string_view bridged = capture_.setting("bridged");
    if (bridged.empty() || error.kind() != ErrorKind::Unsupported) throw;
    throw error.with_context("Spark's own code computes " + std::string(bridged) + " in this query");
  }
}

void ReplayedQuery::run(ReplayReport& report) const {
  const auto wall_start = Clock::now();
  const double cpu_start = process_cpu_seconds();
  double checksum_seconds = 0;
  std::vector<std::string> differences;
  const auto prepared_query = runtime::PreparedQuery::make(capture_.plan, false);
  const auto query = open(*prepared_query);
  AnswerSummary summary(answer_types(*query));
  try {
    const auto stream = query->open_stream(0, 1);
    checksum_seconds = drain(*stream, summary);
    stream->close();
    report.answer = summary.answer();
    differences = summary.differences_from(capture_.answer);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::User) throw;
    report.answer = {};
    report.answer.error_class = error.error_class();
    report.answer.error_condition = error.error_class();
    if (!is_expected(capture_.answer, error)) {
      const auto& expected = capture_.answer;
      const std::string spark = expected.error_class.empty() ? "succeeded" : "failed with " + expected.error_condition;
      differences.push_back("answer: Spark " + spark + ", here it failed: " + error.error_class() + " " +
                            error.message());
    }
  }
  const std::chrono::duration<double> wall = Clock::now() - wall_start;
  report.runs.push_back({wall.count() - checksum_seconds, process_cpu_seconds() - cpu_start - checksum_seconds});
  if (report.differences.empty()) report.differences = std::move(differences);
  report.peak_bytes = std::max(report.peak_bytes, query->budget()->peak_bytes());
  read_operators(prepared_query->verdict(), *query, report);
}

}  // namespace accelerant::api
