#include "device/device_batch.h"
#include "device/primitives/exclusive_scan.h"
#include "device/primitives/find_values.h"
#include "device/primitives/gather_strings.h"
#include "device/primitives/test_string_pages.h"
#include "device_memory.h"
#include "primitives.h"
#include "random_values.h"

#include <algorithm>
#include <numeric>

namespace accelerant::gpu_check {

using device::HostStrings;
using device::PageStatus;

namespace {

/// Strings of many lengths; some are empty.
HostStrings some_strings(int64_t n) {
  HostStrings strings;
  for (const int32_t size : device::generate_on_host<int32_t>({31, -10, 60}, n)) {
    strings.offsets.push_back(strings.offsets.back() + std::max(size, 0));
  }
  strings.bytes = random_bytes(strings.offsets.back(), 32);
  return strings;
}

/// Sizes, their scan, memory for the bytes, the bytes: as every caller gathers strings.
bool gather_strings(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  HostStrings from = some_strings(n);
  const std::vector<int32_t> rows = random_rows(n, n);
  const HostStrings expected = device::gather_strings_on_host(from, rows);
  const auto num_bytes = std::ssize(expected.bytes);
  from.bytes.resize(static_cast<size_t>(device::whole_words(std::ssize(from.bytes))));
  const int64_t* offsets = memory.put(from.offsets);
  const int32_t* device_rows = memory.put(rows);
  auto* sizes = memory.make<int32_t>(n);
  auto* to_offsets = memory.make<int64_t>(n + 1);
  device::string_sizes(memory.stream(), offsets, device_rows, n, sizes);
  device::exclusive_scan<int32_t>(memory.stream(), sizes, n, to_offsets,
                                  memory.make<char>(device::exclusive_scan_workspace_bytes(n)));
  if (memory.get(to_offsets, n + 1) != expected.offsets) return false;
  auto* to = memory.make<uint8_t>(num_bytes);
  device::gather_strings(memory.stream(), {offsets, memory.put(from.bytes), device_rows, n, to_offsets, num_bytes, to},
                         memory.make<char>(device::gather_strings_workspace_bytes(num_bytes)));
  return memory.get(to, num_bytes) == expected.bytes;
}

/// Pages of strings one behind the other, and where their strings lie.
struct StringPages {
  explicit StringPages(int64_t n) : sizes(page_sizes(n)) {
    for (const int64_t num_strings : sizes) {
      const std::vector<uint8_t> page = device::string_pages::page_of_strings(num_strings);
      device::HostStringSpans found;
      device::find_strings_on_host(page, num_strings, found);
      const int64_t begin = page_begins.back();
      for (const int64_t begin_in_page : found.begins) spans.begins.push_back(begin + begin_in_page);
      spans.sizes.insert(spans.sizes.end(), found.sizes.begin(), found.sizes.end());
      bytes.insert(bytes.end(), page.begin(), page.end());
      page_begins.push_back(std::ssize(bytes));
    }
  }

  std::vector<int64_t> sizes;  ///< in strings
  std::vector<uint8_t> bytes;
  std::vector<int64_t> page_begins = {0};  ///< and the end of the last
  device::HostStringSpans spans;
};

/// Places of strings count from the first page.
bool find_strings(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  const StringPages from(n);
  const uint8_t* base = memory.put(from.bytes);
  const device::StringTable table = {base, memory.make<int64_t>(n), memory.make<int32_t>(n)};
  std::vector<uint32_t> numbers(static_cast<size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  auto* codes = memory.make<uint32_t>(n);
  std::vector<device::StringPage> pages;
  int64_t first = 0;
  for (size_t i = 0; i < from.sizes.size(); first += from.sizes[i++]) {
    pages.push_back({base + from.page_begins[i], from.page_begins[i + 1] - from.page_begins[i], from.sizes[i], table,
                     static_cast<uint32_t>(first), codes + first});
  }
  const auto num_pages = std::ssize(pages);
  auto* statuses = memory.make<PageStatus>(num_pages);
  device::find_strings(memory.stream(), memory.put(pages), num_pages, statuses);
  return memory.get(statuses, num_pages) == std::vector(pages.size(), PageStatus::Sound) &&
         memory.get(table.begins, n) == from.spans.begins && memory.get(table.sizes, n) == from.spans.sizes &&
         memory.get(codes, n) == numbers;
}

constexpr PrimitiveCheck kChecks[] = {{"string_sizes, gather_strings", gather_strings}, {"find_strings", find_strings}};

}  // namespace

std::span<const PrimitiveCheck> string_checks() { return kChecks; }

}  // namespace accelerant::gpu_check
