#include "base/error.h"
#include "device/emulator/block.h"
#include "device/kernels/list.h"
#include "device/pinned_memory.h"
#include "device/primitives/generate.h"
#include "device/primitives/group_rows.h"
#include "device/primitives/radix_sort.h"
#include "device/primitives/update_groups.h"
#include "device/stopwatch.h"
#include "device_memory.h"
#include "primitives.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

namespace {

constexpr double kGiga = 1e9;

/// Copies of less than a slab's size are not from pinned memory; larger ones than this tell nothing more.
constexpr int64_t kLeastLinkBytes = int64_t{1} << 20;
constexpr int64_t kMostLinkBytes = int64_t{64} << 20;

/// Measures work on a stream that moves so many bytes.
void measure_rate(device::DeviceStream& stream, const std::string& name, int64_t bytes,
                  const std::function<void()>& work, Report& report) {
  report.measure(name, static_cast<double>(bytes) / least_seconds(stream, work) / kGiga, "GB/s");
}

/// Host memory that is copied over the link.
struct HostMemory {
  const char* kind;  ///< follows the names of what is measured
  void* bytes;
  int64_t num_bytes;
};

void measure_link(device::Device& device, const HostMemory& host, Report& report) {
  DeviceMemory memory(device);
  device::DeviceStream& stream = memory.stream();
  char* const there = memory.make<char>(host.num_bytes);
  std::memset(host.bytes, 1, static_cast<size_t>(host.num_bytes));
  measure_rate(
      stream, std::string("copy to device") + host.kind, host.num_bytes,
      [&] { stream.copy_to_device(there, host.bytes, host.num_bytes); }, report);
  measure_rate(
      stream, std::string("copy to host") + host.kind, host.num_bytes,
      [&] { stream.copy_to_host(host.bytes, there, host.num_bytes); }, report);
}

void measure_pageable(device::Device& device, int64_t bytes, Report& report) {
  std::vector<char> host(static_cast<size_t>(bytes));
  measure_link(device, {"", host.data(), bytes}, report);
}

void measure_pinned(device::Device& device, int64_t bytes, Report& report) {
  const auto pinned = device.pinned_memory();
  const auto host = pinned->allocate(bytes, memory::process_budget());
  if (pinned->pinned_bytes() == pinned->kept_bytes()) throw Error(ErrorKind::Resource, "no memory is pinned");
  measure_link(device, {", pinned", host->mutable_data(), bytes}, report);
}

void measure_memory(device::Device& device, int64_t bytes, Report& report) {
  DeviceMemory memory(device);
  device::DeviceStream& stream = memory.stream();
  char* const from = memory.make<char>(bytes);
  char* const to = memory.make<char>(bytes);
  measure_rate(
      stream, "fill", bytes, [&] { stream.fill(to, 1, bytes); }, report);
  measure_rate(
      stream, kMemoryRate, 2 * bytes, [&] { stream.copy_on_device(to, from, bytes); }, report);
}

void measure_launches(device::Device& device, Report& report) {
  constexpr int kLaunches = 200;
  DeviceMemory memory(device);
  auto* to = memory.make<int64_t>(1);
  const auto enqueue = [&](int times) {
    for (int i = 0; i < times; ++i) device::generate(memory.stream(), {1, 0, 2}, 1, 8, to);
  };
  constexpr double kMicros = 1e6;
  report.measure("launch and wait", kMicros * least_seconds(memory.stream(), [&] { enqueue(1); }), "us");
  report.measure("launch after launch",
                 kMicros * least_seconds(memory.stream(), [&] { enqueue(kLaunches); }) / kLaunches, "us");
}

void measure_sort(device::Device& device, int64_t num_rows, Report& report) {
  DeviceMemory memory(device);
  auto* keys = memory.make<uint64_t>(num_rows);
  auto* sorted_keys = memory.make<uint64_t>(num_rows);
  auto* sorted_rows = memory.make<int32_t>(num_rows);
  void* workspace = memory.make<char>(device::radix_sort_workspace_bytes(num_rows, 64));
  device::generate(memory.stream(), {2, 0, ~uint64_t{0}}, num_rows, 8, keys);
  for (const int32_t num_bits : {32, 64}) {
    const double seconds = least_seconds(memory.stream(), [&] {
      device::radix_sort(memory.stream(), {keys, nullptr, num_rows, num_bits, sorted_keys, sorted_rows}, workspace);
    });
    report.measure("sort, " + std::to_string(num_bits) + " bits", static_cast<double>(num_rows) / seconds / kGiga,
                   "G rows/s");
  }
}

void measure_groups(device::Device& device, int64_t num_rows, int64_t num_keys, Report& report) {
  DeviceMemory memory(device);
  device::DeviceStream& stream = memory.stream();
  auto* keys = memory.make<uint64_t>(num_rows);
  auto* values = memory.make<int64_t>(num_rows);
  auto* groups = memory.make<int32_t>(num_rows);
  const device::DeviceGroupTable table{1, num_keys, memory.make<char>(device::group_table_bytes(1, num_keys))};
  using Kernel = device::UpdateKernel<device::kernels::SumOfLongs>;
  const int64_t words = num_keys * Kernel::kNumWords;
  auto* states = memory.make<uint64_t>(words);
  stream.fill(states, 0, words * static_cast<int64_t>(sizeof(uint64_t)));
  device::generate(stream, {3, 0, static_cast<uint64_t>(num_keys)}, num_rows, 8, keys);
  device::generate(stream, {4, -1000, 2001}, num_rows, 8, values);
  const device::kernels::GroupColumn sum{values, nullptr, states};
  const double seconds = least_seconds(stream, [&] {
    device::clear_groups(stream, table);
    device::group_rows(stream, table, {{keys, nullptr}, num_rows}, groups);
    device::update_groups(stream, device::emulator::entry_of<Kernel>(),
                          {groups, num_rows, num_keys, Kernel::kNumWords, {&sum, 1}});
  });
  report.measure("sum by " + std::to_string(num_keys) + " keys", static_cast<double>(num_rows) / seconds / kGiga,
                 "G rows/s");
}

}  // namespace

void measure_primitives(device::Device& device, int64_t num_rows, Report& report) {
  const int64_t bytes = num_rows * static_cast<int64_t>(sizeof(int64_t));
  const int64_t link_bytes = std::clamp(bytes, kLeastLinkBytes, kMostLinkBytes);
  report.attempt("measure copies", [&] {
    measure_pageable(device, link_bytes, report);
    measure_pinned(device, link_bytes, report);
    measure_memory(device, bytes, report);
  });
  report.attempt("measure launches", [&] { measure_launches(device, report); });
  report.attempt("measure sort", [&] { measure_sort(device, num_rows, report); });
  for (const int64_t num_keys : {4, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000}) {
    if (num_keys > num_rows) break;
    report.attempt("measure groups", [&] { measure_groups(device, num_rows, num_keys, report); });
  }
}

}  // namespace accelerant::gpu_check
