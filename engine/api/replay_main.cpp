// accelerant-replay: runs a captured query without Spark or a JVM.
#include "api/engine.h"
#include "api/replay.h"
#include "api/replay_faults.h"
#include "base/error.h"
#include "base/notices.h"

#include <cstdio>
#include <exception>
#include <string>

namespace {

using accelerant::api::ReplayOptions;
using accelerant::api::ReplayReport;

enum ExitStatus { kEqual = 0, kDifferent = 1, kNotRun = 2 };

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((file && std::fclose(file) != 0) || !written) {
    throw accelerant::Error(accelerant::ErrorKind::User, path + " can't be written");
  }
}

/// The last line says what hangs, if something does.
ExitStatus run_with_faults(const ReplayOptions& options) {
  const auto say = [](const std::string& faults) { std::fprintf(stderr, "%s\n", faults.c_str()); };
  const auto report = options.fails_disk ? accelerant::api::replay_with_failed_disk(options, say)
                                         : accelerant::api::replay_with_failed_reservations(options, say);
  std::fputs(to_text(report).c_str(), stdout);
  return report.findings.empty() ? kEqual : kDifferent;
}

ExitStatus run(const ReplayOptions& options) {
  if (options.help) std::fputs(accelerant::api::replay_usage(), stdout);
  if (options.version) std::printf("accelerant-replay %s\n", std::string(accelerant::api::version()).c_str());
  if (options.help || options.version) return kEqual;
  if (options.failed_reservations || options.fails_disk) return run_with_faults(options);
  const ReplayReport report = accelerant::api::replay(options);
  std::fputs(to_text(report).c_str(), stdout);
  if (!options.json.empty()) write_file(options.json, to_json(report));
  return report.is_equal() ? kEqual : kDifferent;
}

}  // namespace

int main(int argc, char** argv) {
  ExitStatus status = kNotRun;
  try {
    status = run(ReplayOptions::parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accelerant-replay: %s\n", error.what());
  }
  accelerant::api::shut_down();
  for (const std::string& notice : accelerant::take_notices()) {
    std::fprintf(stderr, "accelerant-replay: %s\n", notice.c_str());
  }
  return status;
}
