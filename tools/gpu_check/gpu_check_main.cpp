// accelerant-gpu-check: proves kernels on a GPU, or in the emulator, against the host, and measures them.
#include "base/error.h"
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

ExitStatus run(const Options& options) {
  if (options.help) {
    std::fputs(gpu_check::usage(), stdout);
    return kEqual;
  }
  auto accelerator = open(options);
  if (options.damaged_bytes > 0) accelerator = gpu_check::damaged(std::move(accelerator), options.damaged_bytes);
  const auto num_rows = std::max<int64_t>(1, static_cast<int64_t>(options.scale * gpu_check::kRowsOfScale1));
  gpu_check::Report report({accelerator->description(), kVersion, options.scale, num_rows}, options.only);
  const int64_t sizes[] = {0, 1, 31, 32, 33, 1000, options.is_emulated ? 2500 : 10'000'019};
  const int64_t pipeline_sizes[] = {0, 1, 31, 32, 33, 1000, options.is_emulated ? 2500 : 1'000'019};
  gpu_check::check_primitives(accelerator->device(), sizes, report);
  gpu_check::check_decode(accelerator->device(), pipeline_sizes, report);
  gpu_check::check_rows(*accelerator, pipeline_sizes, report);
  gpu_check::check_groupings(*accelerator, pipeline_sizes, report);
  gpu_check::measure_primitives(accelerator->device(), options.is_emulated ? 2500 : int64_t{1} << 27, report);
  gpu_check::measure_decoding(accelerator->device(), options.is_emulated ? 2500 : int64_t{1} << 26, report);
  gpu_check::check_queries(*accelerator, num_rows, report);
  std::fputs(report.to_text().c_str(), stdout);
  if (!options.json.empty()) write_file(options.json, report.to_json());
  return report.is_equal() ? kEqual : kDifferent;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(Options::parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accelerant-gpu-check: %s\n", error.what());
    return kNotRun;
  }
}
