#include "report.h"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace accelerant::gpu_check {

namespace {

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
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

void Report::check(const std::string& name, int64_t num_rows, const std::function<Outcome()>& compare) {
  if (!is_wanted(name)) return;
  try {
    checks_.push_back({name, num_rows, compare()});
  } catch (const std::exception& error) {
    checks_.push_back({name, num_rows, {false, error.what()}});
  }
}

void Report::attempt(const std::string& name, const std::function<void()>& work) {
  if (!is_wanted(name)) return;
  try {
    work();
  } catch (const std::exception& error) {
    checks_.push_back({name, 0, {false, error.what()}});
  }
}

void Report::measure(const std::string& name, double value, const std::string& unit) {
  figures_.push_back({name, value, unit});
}

std::optional<double> Report::figure(const std::string& name) const {
  const auto found = std::ranges::find(figures_, name, &Figure::name);
  return found == figures_.end() ? std::nullopt : std::optional(found->value);
}

bool Report::is_equal() const {
  return std::ranges::all_of(checks_, [](const Check& check) { return check.outcome.is_equal; });
}

std::string Report::checks_to_text() const {
  std::string text;
  for (size_t i = 0; i < checks_.size();) {
    const Check& first = checks_[i];
    std::string rows;
    for (; i < checks_.size(); ++i) {
      const Check& check = checks_[i];
      const bool is_alike = check.name == first.name && check.outcome.is_equal == first.outcome.is_equal &&
                            check.outcome.note == first.outcome.note;
      if (!is_alike) break;
      rows += (rows.empty() ? "" : ", ") + std::to_string(check.num_rows);
    }
    text += padded(first.name, 44) + padded(first.outcome.is_equal ? "equal" : "DIFFERENT", 11) +
            (first.outcome.note.empty() ? rows + " rows" : padded(rows + " rows", 42) + first.outcome.note) + "\n";
  }
  return text;
}

std::string Report::to_text() const {
  std::string text = "device: " + circumstances_.device + "\nengine: " + circumstances_.version +
                     "\nscale: " + number(circumstances_.scale) + ", " + std::to_string(circumstances_.num_rows) +
                     " rows\n\n" + checks_to_text() + "\n";
  for (const Figure& figure : figures_) {
    text += padded(figure.name, 44) + padded(number(figure.value), 11) + figure.unit + "\n";
  }
  const auto num_different = std::ranges::count_if(checks_, [](const Check& check) { return !check.outcome.is_equal; });
  return text + "\n" + std::to_string(checks_.size()) + " checks, " + std::to_string(num_different) + " different\n";
}

std::string Report::to_json() const {
  std::vector<std::string> checks;
  for (const Check& check : checks_) {
    checks.push_back("{\"name\": " + quoted(check.name) + ", \"rows\": " + std::to_string(check.num_rows) +
                     ", \"equal\": " + (check.outcome.is_equal ? "true" : "false") +
                     ", \"note\": " + quoted(check.outcome.note) + "}");
  }
  std::vector<std::string> figures;
  for (const Figure& figure : figures_) {
    figures.push_back("{\"name\": " + quoted(figure.name) + ", \"value\": " + number(figure.value) +
                      ", \"unit\": " + quoted(figure.unit) + "}");
  }
  return "{\n  \"device\": " + quoted(circumstances_.device) + ",\n  \"engine\": " + quoted(circumstances_.version) +
         ",\n  \"scale\": " + number(circumstances_.scale) +
         ",\n  \"rows\": " + std::to_string(circumstances_.num_rows) + ",\n  \"checks\": " + joined(checks) +
         ",\n  \"figures\": " + joined(figures) + "\n}\n";
}

}  // namespace accelerant::gpu_check
