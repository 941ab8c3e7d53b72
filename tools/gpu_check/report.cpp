#include "report.h"

#include <algorithm>
#include <cstdio>

namespace accelerant::gpu_check {

namespace {

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// Names of devices come from drivers.
std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '"';
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "\n    " : ",\n    ") + part;
  return "[" + text + "\n  ]";
}

}  // namespace

void Report::check(const std::string& name, int64_t num_rows, bool is_equal, const std::string& checksum) {
  checks_.push_back({name, num_rows, is_equal, checksum});
}

void Report::measure(const std::string& name, double value, const std::string& unit) {
  figures_.push_back({name, value, unit});
}

bool Report::is_equal() const {
  return std::ranges::all_of(checks_, [](const Check& check) { return check.is_equal; });
}

std::string Report::to_text() const {
  std::string text = "device: " + device_ + "\n";
  for (const Check& check : checks_) {
    text += padded(check.name, 32) + padded(std::to_string(check.num_rows) + " rows", 20) +
            padded(check.is_equal ? "equal" : "DIFFERENT", 12) + check.checksum + "\n";
  }
  for (const Figure& figure : figures_) {
    text += padded(figure.name, 32) + padded(number(figure.value), 12) + figure.unit + "\n";
  }
  const auto num_different = std::ranges::count(checks_, false, &Check::is_equal);
  return text + std::to_string(checks_.size()) + " checks, " + std::to_string(num_different) + " different\n";
}

std::string Report::to_json() const {
  std::vector<std::string> checks;
  for (const Check& check : checks_) {
    checks.push_back("{\"name\": " + quoted(check.name) + ", \"rows\": " + std::to_string(check.num_rows) +
                     ", \"equal\": " + (check.is_equal ? "true" : "false") +
                     ", \"checksum\": " + quoted(check.checksum) + "}");
  }
  std::vector<std::string> figures;
  for (const Figure& figure : figures_) {
    figures.push_back("{\"name\": " + quoted(figure.name) + ", \"value\": " + number(figure.value) +
                      ", \"unit\": " + quoted(figure.unit) + "}");
  }
  return "{\n  \"device\": " + quoted(device_) + ",\n  \"checks\": " + joined(checks) +
         ",\n  \"figures\": " + joined(figures) + "\n}\n";
}

}  // namespace accelerant::gpu_check
