#include "api/replay.h"

#include "api/engine.h"
#include "api/replayed_query.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace accelerant::api {

namespace {

/// Returns VmHWM of the process; 0 where the kernel does not say. getrusage would count what was there before exec.
int64_t peak_rss_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    long kib = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %ld kB", &kib) == 1) return int64_t{kib} * 1024;
  }
  return 0;
}

}  // namespace

ReplayReport replay(const ReplayOptions& options) {
  const ReplayedQuery query(options);
  ReplayReport report;
  report.capture = options.capture;
  report.spark_version = query.capture().setting("spark.version");
  report.captured_at = query.capture().setting("captured.at");
  report.options = query.options();
  report.files = static_cast<int64_t>(query.capture().files.size());
  for (const plan::CapturedFile& file : query.capture().files) report.file_bytes += file.size_bytes;
  report.expected = query.capture().answer;
  if (options.threads) configure("threads=" + std::to_string(*options.threads) + "\n");
  for (int run = 0; run < options.repeat; ++run) query.run(report);
  report.peak_rss_bytes = peak_rss_bytes();
  return report;
}

}  // namespace accelerant::api
