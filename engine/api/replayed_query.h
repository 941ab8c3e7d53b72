#pragma once

#include "api/replay.h"
#include "plan/capture.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace accelerant::runtime {
class PreparedQuery;
class Query;
}  // namespace accelerant::runtime

namespace accelerant::api {

/// A captured query made ready for this machine. Immutable.
class ReplayedQuery {
 public:
  /// @throws Error User for a capture or a data file that can't be used
  explicit ReplayedQuery(const ReplayOptions& options);

  const plan::Capture& capture() const { return capture_; }
  /// Returns the options of its runs, lines `name=value`.
  const std::string& options() const { return options_; }
  /// Runs the query once, and adds to a report; notes what differs from the captured answer.
  /// @throws Error Unsupported when this engine can't run the query, Resource where memory is short
  void run(ReplayReport& report) const;

 private:
  /// Opens the query; where it can't be, says what of it only Spark can compute.
  std::shared_ptr<runtime::Query> open(runtime::PreparedQuery& query) const;

  plan::Capture capture_;
  std::vector<uint8_t> splits_;
  std::string options_;
};

}  // namespace accelerant::api
