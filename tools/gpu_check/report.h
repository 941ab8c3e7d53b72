#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// What was found: checks, and what was measured.
class Report {
 public:
  /// @param device its name
  explicit Report(std::string device) : device_(std::move(device)) {}

  /// Notes what was compared with the host.
  void check(const std::string& name, int64_t num_rows, bool is_equal, const std::string& checksum = "");
  void measure(const std::string& name, double value, const std::string& unit);

  bool is_equal() const;
  /// Returns a table for people.
  std::string to_text() const;
  std::string to_json() const;

 private:
  struct Check {
    std::string name;
    int64_t num_rows;
    bool is_equal;
    std::string checksum;
  };
  struct Figure {
    std::string name;
    double value;
    std::string unit;
  };

  std::string device_;
  std::vector<Check> checks_;
  std::vector<Figure> figures_;
};

}  // namespace accelerant::gpu_check
