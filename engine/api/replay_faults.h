#pragma once

#include "api/replay_options.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace accelerant::api {

/// What came of a captured query that was run with something made to fail.
struct FaultsReport {
  int64_t num_places = 0;  ///< what could fail: places that reserve, or writes and reads
  int64_t num_runs = 0;
  int64_t num_equal = 0;              ///< runs with Spark's answer though something failed
  int64_t num_failed = 0;             ///< runs that failed with an error of memory or of a disk
  int64_t num_missed = 0;             ///< runs with Spark's answer in which nothing failed, as threads went otherwise
  std::vector<std::string> findings;  ///< runs with another answer or error, or that kept memory
};

/// Told what a run is to fail at, before it.
using OnFaultyRun = std::function<void(const std::string&)>;

/// Runs a query once for the places that reserve memory (by plan node and callers), and then again and again: of each
/// place the first, the second, the last and 20 random reservations fail, one a run; then pairs of any, as many as
/// there are places.
/// @throws Error as replay does; Internal when the query differs or fails without a fault
FaultsReport replay_with_failed_reservations(const ReplayOptions& options, const OnFaultyRun& on_run);

/// Runs a query once for its writes to spill files and its reads, and then again and again: the disk is full from each
/// tenth write on; what a read gives has a flipped bit, of each tenth read, or of some 50 where there are many.
/// @throws Error likewise
FaultsReport replay_with_failed_disk(const ReplayOptions& options, const OnFaultyRun& on_run);

/// Returns the report for people.
std::string to_text(const FaultsReport& report);

}  // namespace accelerant::api
