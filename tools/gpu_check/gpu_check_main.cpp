// accelerant-gpu-check: proves kernels on a GPU, or in the emulator, against the host, and measures them.
#include "base/error.h"
#include "base/notices.h"
#include "base/version.h"
#include "check_pipelines.h"
#include "damaged_accelerator.h"
#include "lineitem.h"
#include "options.h"
#include "primitives.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

namespace {

using namespace accelerant;
using gpu_check::Options;

enum ExitStatus { kEqual = 0, kDifferent = 1, kNotRun = 2 };

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool is_written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((file != nullptr && std::fclose(file) != 0) || !is_written) {
    throw Error(ErrorKind::User, path + " can't be written");
  }
}

std::shared_ptr<codegen::Accelerator> open(const Options& options) {
  auto opened = options.is_emulated ? codegen::open_emulator() : codegen::open_gpu();
  if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) {
    throw Error(ErrorKind::Resource, unavailable->reason);
  }
  return std::get<std::shared_ptr<codegen::Accelerator>>(opened);
}

/// How much is done of what no query is. A small scale is for tools under which all is slow.
struct Amounts {
  int64_t primitive_rows;
  int64_t pipeline_rows;
  int64_t measured_rows;
  int64_t decoded_values;

  static Amounts of(const Options& options, int64_t num_rows) {
    constexpr int64_t kLeast = 2'500;
    if (options.is_emulated) return {kLeast, kLeast, kLeast, kLeast};
    return {std::clamp<int64_t>(num_rows, kLeast, 10'000'019), std::clamp<int64_t>(num_rows, kLeast, 1'000'019),
            std::clamp<int64_t>(32 * num_rows, kLeast, int64_t{1} << 27),
            std::clamp<int64_t>(16 * num_rows, kLeast, int64_t{1} << 26)};
  }
};

void take_course(codegen::Accelerator& accelerator, int64_t num_rows, const Amounts& amounts,
                 gpu_check::Report& report) {
  device::Device& device = accelerator.device();
  const int64_t primitive_sizes[] = {0, 1, 31, 32, 33, 1000, amounts.primitive_rows};
  const int64_t pipeline_sizes[] = {0, 1, 31, 32, 33, 1000, amounts.pipeline_rows};
  gpu_check::check_primitives(device, primitive_sizes, report);
  gpu_check::check_decode(device, pipeline_sizes, report);
  gpu_check::check_rows(accelerator, pipeline_sizes, report);
  gpu_check::check_groupings(accelerator, pipeline_sizes, report);
  gpu_check::measure_primitives(device, amounts.measured_rows, report);
  gpu_check::measure_decoding(device, amounts.decoded_values, report);
  gpu_check::check_queries(accelerator, num_rows, report);
}

ExitStatus run(const Options& options) {
  if (options.help) {
    std::fputs(gpu_check::usage(), stdout);
    return kEqual;
  }
  auto accelerator = open(options);
  if (options.damaged_bytes > 0) accelerator = gpu_check::damaged(std::move(accelerator), options.damaged_bytes);
  const auto num_rows = std::max<int64_t>(1, static_cast<int64_t>(options.scale * gpu_check::kRowsOfScale1));
  gpu_check::Report report({accelerator->description(), kVersion, options.scale, num_rows}, options.only);
  take_course(*accelerator, num_rows, Amounts::of(options, num_rows), report);
  std::fputs(report.to_text().c_str(), stdout);
  if (!options.json.empty()) write_file(options.json, report.to_json());
  return report.is_equal() ? kEqual : kDifferent;
}

}  // namespace

int main(int argc, char** argv) {
  ExitStatus status = kNotRun;
  try {
    status = run(Options::parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accelerant-gpu-check: %s\n", error.what());
  }
  for (const std::string& notice : take_notices()) std::fprintf(stderr, "accelerant-gpu-check: %s\n", notice.c_str());
  return status;
}
