#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// What came of a comparison with the host.
struct Outcome {
  bool is_equal;
  std::string note = "";  ///< a checksum of the result, or what is wrong
};

/// Under what circumstances things were found.
struct Circumstances {
  std::string device;    ///< with the versions of what drives it
  std::string version;   ///< the engine's
  double scale = 1;      ///< of TPC-H
  int64_t num_rows = 0;  ///< of that scale
};

/// What was found: checks, and what was measured.
class Report {
 public:
  /// @param only what has this in its name is done; all is where it is empty
  Report(Circumstances circumstances, std::string only)
      : circumstances_(std::move(circumstances)), only_(std::move(only)) {}

  /// Compares with the host and notes what came of it: what is thrown is a difference.
  void check(const std::string& name, int64_t num_rows, const std::function<Outcome()>& compare);
  /// Does some work that measures: a failed check of no rows where it throws.
  void attempt(const std::string& name, const std::function<void()>& work);
  void measure(const std::string& name, double value, const std::string& unit);

  /// Returns what was measured; nullopt where it was not.
  std::optional<double> figure(const std::string& name) const;
  bool is_equal() const;
  /// Returns a table for people: checks over several numbers of rows share a line where they agree.
  std::string to_text() const;
  std::string to_json() const;

 private:
  struct Check {
    std::string name;
    int64_t num_rows;
    Outcome outcome;
  };
  struct Figure {
    std::string name;
    double value;
    std::string unit;
  };

  bool is_wanted(const std::string& name) const { return name.find(only_) != std::string::npos; }
  std::string checks_to_text() const;

  const Circumstances circumstances_;
  const std::string only_;
  std::vector<Check> checks_;
  std::vector<Figure> figures_;
};

}  // namespace accelerant::gpu_check
