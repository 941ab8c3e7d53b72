#pragma once

#include "api/replay_options.h"
#include "plan/capture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::api {

/// Times of one run, from opening the files to the last row; without the time that the checksum takes.
struct ReplayRun {
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< of all threads
};

/// Counters of one plan node over all runs.
struct ReplayOperator {
  int plan_node = -1;
  std::string name;
  int64_t output_rows = 0;
  int64_t output_batches = 0;
  int64_t estimated_rows = 0;  ///< before the run, from what the tables say of themselves
  double cpu_seconds = 0;
  double longest_step_seconds = 0;  ///< CPU time of a thread between two looks at cancellation
  int64_t peak_bytes = 0;
  int64_t spilled_bytes = 0;
  int64_t input_bytes = 0;
  int64_t input_files = 0;
};

/// What came of a replay.
struct ReplayReport {
  std::string capture;
  std::string spark_version;
  std::string captured_at;
  std::string options;  ///< of the runs, lines `name=value`
  int64_t files = 0;
  int64_t file_bytes = 0;
  std::vector<ReplayRun> runs;
  int64_t peak_rss_bytes = 0;             ///< the most memory that the process had resident, checksums included
  int64_t peak_bytes = 0;                 ///< the most that a run had reserved
  std::vector<ReplayOperator> operators;  ///< of the last run
  plan::CapturedAnswer expected;
  plan::CapturedAnswer answer;
  std::vector<std::string> differences;  ///< from Spark's answer, of the first run that had any

  bool is_equal() const { return differences.empty(); }
};

/// Runs a captured query. A query that fails as it did on Spark has the right answer.
/// @throws Error User for a capture or a data file that can't be used, Unsupported when this engine can't run the query
ReplayReport replay(const ReplayOptions& options);

/// Returns the report for people, and for programs.
std::string to_text(const ReplayReport& report);
std::string to_json(const ReplayReport& report);

}  // namespace accelerant::api
