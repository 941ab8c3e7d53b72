#include "device/primitives/compact.h"
#include "device/primitives/exclusive_scan.h"
#include "device/primitives/gather.h"
#include "device/primitives/generate.h"
#include "device/primitives/radix_sort.h"
#include "device/primitives/reduce.h"
#include "device_memory.h"
#include "primitives.h"
#include "random_values.h"
#include "types/integers.h"

#include <algorithm>
#include <array>

namespace accelerant::gpu_check {

using device::RandomColumn;

namespace {

const RandomColumn kValues{11, -1'000'000'000'000, 2'000'000'000'001};
const RandomColumn kSizes{12, 0, 40};

std::vector<int64_t> values(int64_t n) { return device::generate_on_host<int64_t>(kValues, n); }

bool generate(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  auto* narrow = memory.make<int32_t>(n);
  auto* wide = memory.make<int64_t>(n);
  device::generate(memory.stream(), kSizes, n, 4, narrow);
  device::generate(memory.stream(), kValues, n, 8, wide);
  return memory.get(narrow, n) == device::generate_on_host<int32_t>(kSizes, n) && memory.get(wide, n) == values(n);
}

bool reduce(device::Device& device, int64_t n) {
  using device::Reduction;
  DeviceMemory memory(device);
  const std::vector<int64_t> from = values(n);
  const int64_t* on_device = memory.put(from);
  void* workspace = memory.make<char>(device::reduce_workspace_bytes(n));
  return std::ranges::all_of(std::array{Reduction::Sum, Reduction::Minimum, Reduction::Maximum},
                             [&](Reduction reduction) {
                               auto* to = memory.make<int64_t>(1);
                               device::reduce(memory.stream(), reduction, on_device, n, to, workspace);
                               return memory.get(to, 1)[0] == device::reduce_on_host(reduction, from);
                             });
}

template <class Value>
bool scans(device::Device& device, const std::vector<Value>& from) {
  DeviceMemory memory(device);
  const auto n = static_cast<int64_t>(from.size());
  auto* to = memory.make<int64_t>(n + 1);
  device::exclusive_scan<Value>(memory.stream(), memory.put(from), n, to,
                                memory.make<char>(device::exclusive_scan_workspace_bytes(n)));
  return memory.get(to, n + 1) == device::exclusive_scan_on_host<Value>(from);
}

bool exclusive_scan(device::Device& device, int64_t n) {
  return scans(device, values(n)) && scans(device, device::generate_on_host<int32_t>(kSizes, n));
}

bool compact(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  const std::vector<uint8_t> bits = random_bytes((n + 7) / 8, 13);
  auto* rows = memory.make<int32_t>(n);
  auto* num_selected = memory.make<int64_t>(1);
  device::compact(memory.stream(), memory.put(bits), n, rows, num_selected,
                  memory.make<char>(device::compact_workspace_bytes(n)));
  const std::vector<int32_t> expected = device::compact_on_host(bits.data(), n);
  const auto num_expected = static_cast<int64_t>(expected.size());
  return memory.get(num_selected, 1)[0] == num_expected && memory.get(rows, num_expected) == expected;
}

template <class Value>
bool gathers(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  std::vector<Value> from;
  for (const int64_t value : values(n)) from.push_back(static_cast<Value>(value));
  const std::vector<int32_t> rows = random_rows(n, n);
  std::vector<Value> expected(rows.size(), Value{7});
  Value* to = memory.put(expected);
  device::gather_on_host<Value>(from, rows, expected);
  device::gather(memory.stream(), sizeof(Value), memory.put(from), memory.put(rows), n, to);
  return memory.get(to, n) == expected;
}

bool gather(device::Device& device, int64_t n) {
  return gathers<uint8_t>(device, n) && gathers<uint16_t>(device, n) && gathers<uint32_t>(device, n) &&
         gathers<uint64_t>(device, n) && gathers<int128>(device, n);
}

bool gather_bits(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  const std::vector<uint8_t> from = random_bytes((n + 7) / 8, 16);
  const std::vector<int32_t> rows = random_rows(n, n);
  const int64_t num_words = (n + 31) / 32;
  auto* to = memory.make<uint32_t>(num_words);
  device::gather_bits(memory.stream(), memory.put(from), memory.put(rows), n, to);
  return memory.get(to, num_words) == device::gather_bits_on_host(from.data(), rows);
}

bool radix_sort(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  const std::vector<int64_t> from = values(n);
  const std::vector<uint64_t> keys(from.begin(), from.end());
  auto* sorted_keys = memory.make<uint64_t>(n);
  auto* sorted_rows = memory.make<int32_t>(n);
  return std::ranges::all_of(std::array{3, 40, 64}, [&](int32_t num_bits) {
    device::radix_sort(memory.stream(), {memory.put(keys), nullptr, n, num_bits, sorted_keys, sorted_rows},
                       memory.make<char>(device::radix_sort_workspace_bytes(n, num_bits)));
    const std::vector<int32_t> expected = device::radix_sort_on_host(keys, num_bits);
    std::vector<uint64_t> expected_keys;
    for (const int32_t row : expected) expected_keys.push_back(keys[static_cast<size_t>(row)]);
    return memory.get(sorted_rows, n) == expected && memory.get(sorted_keys, n) == expected_keys;
  });
}

constexpr PrimitiveCheck kChecks[] = {
    {"generate", generate}, {"reduce", reduce},           {"exclusive_scan", exclusive_scan}, {"compact", compact},
    {"gather", gather},     {"gather_bits", gather_bits}, {"radix_sort", radix_sort},
};

}  // namespace

std::span<const PrimitiveCheck> column_checks() { return kChecks; }

}  // namespace accelerant::gpu_check
