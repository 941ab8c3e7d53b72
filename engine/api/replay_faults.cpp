#include "api/replay_faults.h"

#include "api/engine.h"
#include "api/replayed_query.h"
#include "base/error.h"
#include "memory/budget.h"
#include "memory/reservation_faults.h"
#include "spill/disk_faults.h"
#include "spill/spill_folders.h"

#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

namespace accelerant::api {

namespace {

using memory::ReservationFaults;
using spill::DiskFaults;
using Faults = std::vector<ReservationFaults::Fault>;

constexpr int kRandomCalls = 20;
/// One of so many writes, and of reads, fails.
constexpr int64_t kEach = 10;
/// Where there are many reads, as blocks of many parts are read in turns, about so many fail.
constexpr int64_t kMostReads = 50;
/// Tasks of a query that failed may end a little later than its stream.
constexpr auto kTimeToEnd = std::chrono::seconds(20);

/// As `addr2line` takes them.
std::string describe(const ReservationFaults::Site& site) {
  std::ostringstream text;
  text << site.budget << " at";
  for (void* caller : site.callers) {
    Dl_info info{};
    const bool found = dladdr(caller, &info) != 0;
    text << " 0x" << std::hex << static_cast<char*>(caller) - (found ? static_cast<char*>(info.dli_fbase) : nullptr);
  }
  return text.str();
}

std::string describe(const ReservationFaults::Sites& sites, const Faults& faults) {
  std::string text;
  for (const ReservationFaults::Fault& fault : faults) {
    text += (text.empty() ? "" : " and ") + std::string("call ") + std::to_string(fault.call) + " of " +
            describe(sites.at(fault.site));
  }
  return text;
}

/// Says whether an error is one of memory or of a disk, or a plan is refused for want of memory, which leaves it to
/// Spark.
bool is_named(const Error& error, std::string_view error_class) {
  if (error.kind() == ErrorKind::Unsupported) return error.message().find("out of memory") != std::string::npos;
  return error.kind() == ErrorKind::Resource && error.error_class() == error_class;
}

/// Runs one query with faults.
class FaultyRuns {
 public:
  FaultyRuns(const ReplayOptions& options, const OnFaultyRun& on_run) : query_(options), on_run_(on_run) {
    if (options.threads) configure("threads=" + std::to_string(*options.threads) + "\n");
    // What the process keeps from its first run, it keeps.
    run_clean();
    used_bytes_ = used_bytes();
  }

  FaultsReport& report() { return report_; }

  void run_clean() const {
    const ReplayReport replayed = replay_once();
    if (!replayed.is_equal()) throw Error(ErrorKind::Internal, replayed.differences.front());
  }

  /// @param injected lives, and has what is to fail fail
  /// @param error_class that an error then has
  template <class Injected>
  void run(const std::string& name, const Injected& injected, std::string_view error_class) {
    on_run_(name);
    ++report_.num_runs;
    try {
      const ReplayReport replayed = replay_once();
      if (!replayed.is_equal()) add_finding(name, replayed.differences.front());
      ++(injected.num_struck() > 0 ? report_.num_equal : report_.num_missed);
    } catch (const Error& error) {
      if (!is_named(error, error_class) || injected.num_struck() == 0) add_finding(name, error.what());
      ++report_.num_failed;
    }
    if (!gives_all_back()) add_finding(name, std::to_string(used_bytes() - used_bytes_) + " bytes are still reserved");
    used_bytes_ = used_bytes();
  }

 private:
  ReplayReport replay_once() const {
    ReplayReport report;
    query_.run(report);
    return report;
  }

  bool gives_all_back() const {
    const auto deadline = std::chrono::steady_clock::now() + kTimeToEnd;
    while (used_bytes() > used_bytes_) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

  void add_finding(const std::string& name, const std::string& what) {
    report_.findings.push_back(what + ", with " + name);
  }

  const ReplayedQuery query_;
  const OnFaultyRun& on_run_;
  int64_t used_bytes_ = 0;
  FaultsReport report_;
};

std::set<int64_t> calls_of(const ReservationFaults::Site& site, std::mt19937_64& random) {
  std::set<int64_t> calls = {0, 1, site.num_calls - 1};
  std::uniform_int_distribution<int64_t> any(0, site.num_calls - 1);
  for (int i = 0; i < kRandomCalls; ++i) calls.insert(any(random));
  return calls;
}

ReservationFaults::Fault any_fault(const ReservationFaults::Sites& sites, std::mt19937_64& random) {
  const auto at = std::uniform_int_distribution<std::ptrdiff_t>(0, std::ssize(sites) - 1)(random);
  const auto& [number, site] = *std::next(sites.begin(), at);
  return {number, std::uniform_int_distribution<int64_t>(0, site.num_calls - 1)(random)};
}

}  // namespace

FaultsReport replay_with_failed_reservations(const ReplayOptions& options, const OnFaultyRun& on_run) {
  FaultyRuns runs(options, on_run);
  const ReservationFaults::Sites sites = [&] {
    const ReservationFaults counted({});
    runs.run_clean();
    return counted.sites();
  }();
  runs.report().num_places = std::ssize(sites);
  const auto run = [&](const Faults& faults) {
    runs.run(describe(sites, faults), ReservationFaults(faults), memory::kOutOfBudget);
  };
  std::mt19937_64 random(options.failed_reservations.value_or(0));
  for (const auto& [number, site] : sites) {
    for (const int64_t call : calls_of(site, random)) run({{number, call}});
  }
  for (size_t i = 0; i < sites.size(); ++i) run({any_fault(sites, random), any_fault(sites, random)});
  return runs.report();
}

FaultsReport replay_with_failed_disk(const ReplayOptions& options, const OnFaultyRun& on_run) {
  FaultyRuns runs(options, on_run);
  const auto run = [&](const std::string& name, const DiskFaults::Fault& fault, std::string_view error_class) {
    // A folder that failed would be left alone.
    spill::process_folders().configure({});
    runs.run(name, DiskFaults(fault), error_class);
  };
  const auto [num_writes, num_reads] = [&] {
    const DiskFaults counted({});
    runs.run_clean();
    return std::pair(counted.num_writes(), counted.num_reads());
  }();
  runs.report().num_places = num_writes + num_reads;
  for (int64_t i = 0; i < num_writes; i += kEach) {
    run("write " + std::to_string(i) + " of " + std::to_string(num_writes), {.full_from_write = i},
        memory::kOutOfBudget);
  }
  for (int64_t i = 0; i < num_reads; i += std::max(kEach, num_reads / kMostReads)) {
    run("read " + std::to_string(i) + " of " + std::to_string(num_reads), {.flipped_read = i}, "");
  }
  return runs.report();
}

std::string to_text(const FaultsReport& report) {
  std::ostringstream text;
  text << report.num_places << " places that may fail, " << report.num_runs << " runs: " << report.num_equal
       << " equal though one failed, " << report.num_failed << " failed by name, " << report.num_missed
       << " met no failure\n";
  for (const std::string& finding : report.findings) text << "  found  " << finding << "\n";
  return text.str();
}

}  // namespace accelerant::api
