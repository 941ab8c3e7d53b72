#include "api/replay.h"
#include "base/version.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace accelerant::api {

namespace {

__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string quote(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += format("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// JSON has no infinities and no NaN: they become text.
std::string number(double value) {
  return std::isfinite(value) ? format("%.17g", value)
                              : quote(std::isnan(value) ? "NaN"
                                      : value > 0       ? "Infinity"
                                                        : "-Infinity");
}

std::string on_one_line(std::string options) {
  std::replace(options.begin(), options.end(), '\n', ' ');
  return options;
}

std::string answer_text(const plan::CapturedAnswer& answer) {
  if (!answer.error_class.empty() || !answer.error_condition.empty()) return "error " + answer.error_condition;
  return format("%ld rows, hash %016lx", answer.rows, answer.hash);
}

template <class Item, class Write>
std::string json_list(const std::vector<Item>& items, Write write) {
  std::string text = "[";
  for (size_t i = 0; i < items.size(); ++i) text += (i > 0 ? ", " : "") + write(items[i]);
  return text + "]";
}

std::string json_floats(const plan::CapturedAnswer& answer) {
  std::string text = "{";
  for (const auto& [column, sums] : answer.floats) {
    if (text.size() > 1) text += ", ";
    text += format("\"%d\": {\"count\": %ld, \"nan\": %ld, \"posinf\": %ld, \"neginf\": %ld, \"sum\": ", column,
                   sums.count, sums.nans, sums.positive_infinities, sums.negative_infinities);
    text += number(sums.sum) + ", \"abs\": " + number(sums.magnitude) + "}";
  }
  return text + "}";
}

std::string json_answer(const plan::CapturedAnswer& answer) {
  return format("{\"rows\": %ld, \"hash\": \"%016lx\", ", answer.rows, answer.hash) +
         "\"floats\": " + json_floats(answer) + ", \"error\": " + quote(answer.error_condition) + "}";
}

std::string json_operator(const ReplayOperator& node) {
  return format("{\"plan_node\": %d, \"name\": ", node.plan_node) + quote(node.name) +
         format(
             ", \"output_rows\": %ld, \"estimated_rows\": %ld, \"output_batches\": %ld, \"cpu_s\": %.9f, "
             "\"longest_step_s\": %.9f, \"peak_bytes\": %ld, \"spilled_bytes\": %ld, \"input_bytes\": %ld, "
             "\"input_files\": %ld}",
             node.output_rows, node.estimated_rows, node.output_batches, node.cpu_seconds, node.longest_step_seconds,
             node.peak_bytes, node.spilled_bytes, node.input_bytes, node.input_files);
}

}  // namespace

std::string to_text(const ReplayReport& report) {
  std::string text = report.capture + "\n";
  text += "  captured   " + report.captured_at + ", Spark " + report.spark_version + "\n";
  text += format("  files      %ld, %ld bytes, as captured\n", report.files, report.file_bytes);
  text += "  options    " + on_one_line(report.options) + "\n";
  for (size_t i = 0; i < report.runs.size(); ++i) {
    text +=
        format("  run %-6zu wall %.4f s  cpu %.4f s\n", i + 1, report.runs[i].wall_seconds, report.runs[i].cpu_seconds);
  }
  text += format("  memory     %ld bytes reserved at most\n", report.peak_bytes);
  text += "  answer     " + answer_text(report.answer) +
          (report.is_equal() ? ", equal to Spark's\n" : ", NOT equal to Spark's\n");
  for (const std::string& difference : report.differences) text += "  differs    " + difference + "\n";
  text += format("\n  %4s  %-24s %12s %12s %8s %10s %10s %14s %14s %14s %6s\n", "node", "operator", "rows", "estimated",
                 "batches", "cpu s", "longest ms", "peak bytes", "spilled bytes", "read bytes", "files");
  for (const ReplayOperator& node : report.operators) {
    text += format("  %4d  %-24s %12ld %12ld %8ld %10.4f %10.2f %14ld %14ld %14ld %6ld\n", node.plan_node,
                   node.name.c_str(), node.output_rows, node.estimated_rows, node.output_batches, node.cpu_seconds,
                   1e3 * node.longest_step_seconds, node.peak_bytes, node.spilled_bytes, node.input_bytes,
                   node.input_files);
  }
  return text;
}

std::string to_json(const ReplayReport& report) {
  const auto run = [](const ReplayRun& times) {
    return format("{\"wall_s\": %.9f, \"cpu_s\": %.9f}", times.wall_seconds, times.cpu_seconds);
  };
  std::string text = "{\n";
  text += "  \"capture\": " + quote(report.capture) + ",\n";
  text += "  \"engine_version\": " + quote(kVersion) + ",\n";
  text += "  \"spark_version\": " + quote(report.spark_version) + ",\n";
  text += "  \"captured_at\": " + quote(report.captured_at) + ",\n";
  text += "  \"options\": " + quote(report.options) + ",\n";
  text += format("  \"files\": %ld,\n  \"file_bytes\": %ld,\n", report.files, report.file_bytes);
  text += "  \"runs\": " + json_list(report.runs, run) + ",\n";
  text += format("  \"peak_rss_bytes\": %ld,\n  \"peak_bytes\": %ld,\n", report.peak_rss_bytes, report.peak_bytes);
  text += std::string("  \"equal\": ") + (report.is_equal() ? "true" : "false") + ",\n";
  text += "  \"differences\": " + json_list(report.differences, quote) + ",\n";
  text += "  \"expected\": " + json_answer(report.expected) + ",\n";
  text += "  \"answer\": " + json_answer(report.answer) + ",\n";
  text += "  \"operators\": " + json_list(report.operators, json_operator) + "\n}\n";
  return text;
}

}  // namespace accelerant::api
