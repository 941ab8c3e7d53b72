#include "device/primitives/place_values.h"
#include "device_memory.h"
#include "primitives.h"
#include "random_values.h"
#include "types/integers.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

namespace accelerant::gpu_check {

using device::PageStatus;
using device::ValuePage;
using device::ValuePages;
using Bytes = std::vector<uint8_t>;

namespace {

constexpr uint32_t kNumEntries = 50;

/// A page on the host, every other one without levels.
struct Page {
  Bytes data;
  Bytes levels;
  bool has_levels;
};

/// Makes pages of random bytes, or of indices below kNumEntries.
std::vector<Page> make_pages(int64_t n, int64_t stored_bytes, bool are_indices = false) {
  std::vector<Page> pages;
  for (const int64_t num_rows : page_sizes(n)) {
    Page page = {{}, random_levels(num_rows, pages.size()), pages.size() % 2 == 0};
    const int64_t num_values = page.has_levels ? std::ranges::count(page.levels, 1) : num_rows;
    page.data = random_bytes(num_values * stored_bytes, 51 + pages.size());
    if (are_indices) {
      for (size_t i = 0; i < page.data.size(); ++i) page.data[i] = i % 4 == 0 ? page.data[i] % kNumEntries : 0;
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

/// Enqueues what places the values of pages.
using Place = std::function<void(DeviceMemory&, const ValuePages&)>;

/// Places the values of pages and returns them page by page; nothing where a page is not sound.
template <class Value>
std::vector<std::vector<Value>> placed(device::Device& device, const std::vector<Page>& from, const Place& place) {
  DeviceMemory memory(device);
  std::vector<ValuePage> pages;
  for (const Page& page : from) {
    Value* to = memory.put(std::vector<Value>(page.levels.size(), Value{7}));
    const uint8_t* levels = page.has_levels ? memory.put(page.levels) : nullptr;
    pages.push_back({levels, std::ssize(page.levels), memory.put(page.data), std::ssize(page.data), to});
  }
  auto* statuses = memory.make<PageStatus>(std::ssize(pages));
  place(memory, {memory.put(pages), std::ssize(pages), statuses});
  if (memory.get(statuses, std::ssize(pages)) != std::vector(pages.size(), PageStatus::Sound)) return {};
  std::vector<std::vector<Value>> found;
  for (const ValuePage& page : pages) found.push_back(memory.get(static_cast<Value*>(page.to), page.num_rows));
  return found;
}

template <class Value, class Read>
bool places(device::Device& device, const std::vector<Page>& pages, int64_t stored_bytes, Read read,
            const Place& place) {
  std::vector<std::vector<Value>> expected;
  for (const Page& page : pages) {
    std::vector<Value>& values = expected.emplace_back(page.levels.size(), Value{7});
    device::place_on_host(page.has_levels ? &page.levels : nullptr, page.data, stored_bytes, read, values);
  }
  return placed<Value>(device, pages, place) == expected;
}

template <class Stored, class Value>
bool places_integers(device::Device& device, int64_t n) {
  const auto read = [](const uint8_t* from) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    return std::optional(static_cast<Value>(stored));
  };
  return places<Value>(device, make_pages(n, sizeof(Stored)), sizeof(Stored), read,
                       [](DeviceMemory& memory, const ValuePages& pages) {
                         device::place_integers(memory.stream(), sizeof(Stored), sizeof(Value), pages);
                       });
}

bool place_integers(device::Device& device, int64_t n) {
  return places_integers<uint32_t, uint8_t>(device, n) && places_integers<uint32_t, uint16_t>(device, n) &&
         places_integers<uint32_t, uint32_t>(device, n) && places_integers<uint64_t, uint64_t>(device, n) &&
         places_integers<int32_t, int64_t>(device, n) && places_integers<int32_t, int128>(device, n) &&
         places_integers<int64_t, int128>(device, n);
}

template <class Value>
bool places_decimals(device::Device& device, int64_t n, int32_t stored_bytes) {
  const auto read = [stored_bytes](const uint8_t* from) {
    Value value = (from[0] & 0x80) != 0 ? -1 : 0;
    for (int32_t i = 0; i < stored_bytes; ++i) value = static_cast<Value>(static_cast<uint128>(value) << 8 | from[i]);
    return std::optional(value);
  };
  return places<Value>(device, make_pages(n, stored_bytes), stored_bytes, read,
                       [stored_bytes](DeviceMemory& memory, const ValuePages& pages) {
                         device::place_decimals(memory.stream(), stored_bytes, sizeof(Value), pages);
                       });
}

bool place_decimals(device::Device& device, int64_t n) {
  return places_decimals<int64_t>(device, n, 5) && places_decimals<int64_t>(device, n, 8) &&
         places_decimals<int128>(device, n, 9) && places_decimals<int128>(device, n, 16);
}

/// Places the lowest bit of each `stride` bits.
bool places_booleans(device::Device& device, int64_t n, int64_t stride,
                     void (*place)(device::DeviceStream&, const ValuePages&)) {
  const std::vector<Page> pages = make_pages(n, 1);
  std::vector<Bytes> expected;
  for (const Page& page : pages) {
    Bytes& values = expected.emplace_back(page.levels.size(), uint8_t{7});
    int64_t bit = 0;
    for (size_t row = 0; row < values.size(); ++row) {
      if (page.has_levels && page.levels[row] == 0) continue;
      values[row] = page.data[static_cast<size_t>(bit / 8)] >> (bit % 8) & 1;
      bit += stride;
    }
  }
  return placed<uint8_t>(device, pages, [&](DeviceMemory& memory, const ValuePages& on_device) {
           place(memory.stream(), on_device);
         }) == expected;
}

bool place_booleans(device::Device& device, int64_t n) {
  return places_booleans(device, n, 1, device::place_booleans) &&
         places_booleans(device, n, 8, device::place_expanded_booleans);
}

uint32_t read_index(const uint8_t* from) {
  uint32_t index;
  std::memcpy(&index, from, sizeof index);
  return index;
}

template <class Value>
bool places_entries(device::Device& device, int64_t n) {
  std::vector<Value> entries(kNumEntries);
  for (size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<Value>((i + 1) * 0x9E3779B97F4A7C15u);
  const auto read = [&entries](const uint8_t* from) { return std::optional(entries[read_index(from)]); };
  return places<Value>(device, make_pages(n, 4, true), 4, read, [&](DeviceMemory& memory, const ValuePages& pages) {
    device::place_dictionary_values(memory.stream(), sizeof(Value), memory.put(entries), kNumEntries, pages);
  });
}

bool place_dictionary_values(device::Device& device, int64_t n) {
  return places_entries<uint8_t>(device, n) && places_entries<uint16_t>(device, n) &&
         places_entries<uint32_t>(device, n) && places_entries<uint64_t>(device, n) &&
         places_entries<uint128>(device, n);
}

bool place_dictionary_codes(device::Device& device, int64_t n) {
  const auto read = [](const uint8_t* from) { return std::optional(read_index(from)); };
  return places<uint32_t>(device, make_pages(n, 4, true), 4, read, [](DeviceMemory& memory, const ValuePages& pages) {
    device::place_dictionary_codes(memory.stream(), kNumEntries, pages);
  });
}

bool level_bits(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  const Bytes levels = random_levels(n, 52);
  const int64_t num_words = (n + 31) / 32;
  auto* to = memory.make<uint32_t>(num_words);
  device::level_bits(memory.stream(), memory.put(levels), n, to);
  return memory.get(to, num_words) == device::level_bits_on_host(levels);
}

constexpr PrimitiveCheck kChecks[] = {{"place_integers", place_integers},
                                      {"place_decimals", place_decimals},
                                      {"place_booleans, place_expanded_booleans", place_booleans},
                                      {"place_dictionary_values", place_dictionary_values},
                                      {"place_dictionary_codes", place_dictionary_codes},
                                      {"level_bits", level_bits}};

}  // namespace

std::span<const PrimitiveCheck> placing_checks() { return kChecks; }

}  // namespace accelerant::gpu_check
