#include "device/device_rates.h"

#include "device/device_buffer.h"
#include "device/pinned_memory.h"
#include "device/primitives/reduce.h"
#include "device/stopwatch.h"

#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace accelerant::device {

namespace {

/// Work is made larger until it takes so long, or so much.
constexpr double kLongEnough = 0.0005;
constexpr int64_t kFirstBytes = int64_t{1} << 15;
constexpr int64_t kMostBytes = int64_t{1} << 26;
constexpr int64_t kMostCopied = int64_t{1} << 24;
constexpr int64_t kGrowth = 8;
constexpr int kRuns = 3;
constexpr int kLaunches = 32;

/// Returns the bytes a second of work on so many bytes.
double rate_of(DeviceStream& stream, int64_t most_bytes, const std::function<void(int64_t bytes)>& work) {
  for (int64_t bytes = kFirstBytes;; bytes *= kGrowth) {
    const double seconds = least_seconds(
        stream, [&] { work(bytes); }, kRuns);
    if (seconds >= kLongEnough || bytes * kGrowth > most_bytes) return static_cast<double>(bytes) / seconds;
  }
}

}  // namespace

std::string DeviceRates::to_string() const {
  constexpr double kGiga = 1e9;
  constexpr double kMicros = 1e6;
  char text[160];
  std::snprintf(text, sizeof text, "%.3g GB/s there, %.3g GB/s back, memory %.3g GB/s, launch %.2g us, wait %.2g us",
                upload_bytes / kGiga, download_bytes / kGiga, memory_bytes / kGiga, launch_seconds * kMicros,
                wait_seconds * kMicros);
  return text;
}

DeviceRates measure_rates(Device& device) {
  const auto budget = std::make_shared<memory::Budget>("measuring a device", memory::Budget::kUnlimited);
  const auto stream = device.create_stream(budget);
  const auto pinned = device.pinned_memory()->allocate(kMostCopied, budget);
  std::memset(pinned->mutable_data(), 1, static_cast<size_t>(kMostCopied));
  std::vector<char> host(static_cast<size_t>(kMostCopied));
  const DeviceBuffer memory(*stream, kMostBytes);
  const int64_t num_values = kMostBytes / static_cast<int64_t>(sizeof(int64_t));
  const DeviceBuffer workspace(*stream, reduce_workspace_bytes(num_values));
  const DeviceBuffer sum(*stream, sizeof(int64_t));
  const auto launch = [&](int64_t bytes) {
    reduce(*stream, Reduction::Sum, memory.as<const int64_t>(), bytes / static_cast<int64_t>(sizeof(int64_t)),
           sum.as<int64_t>(), workspace.as<void>());
  };
  const auto launch_times = [&](int times) {
    return least_seconds(
        *stream,
        [&] {
          for (int i = 0; i < times; ++i) stream->fill(sum.as<void>(), 0, 8);
        },
        kRuns);
  };
  DeviceRates rates;
  rates.upload_bytes = rate_of(
      *stream, kMostCopied, [&](int64_t bytes) { stream->copy_to_device(memory.as<void>(), pinned->data(), bytes); });
  rates.download_bytes = rate_of(*stream, kMostCopied,
                                 [&](int64_t bytes) { stream->copy_to_host(host.data(), memory.as<void>(), bytes); });
  rates.memory_bytes = rate_of(*stream, kMostBytes, launch);
  rates.wait_seconds = launch_times(1);
  rates.launch_seconds = launch_times(kLaunches) / kLaunches;
  return rates;
}

}  // namespace accelerant::device
