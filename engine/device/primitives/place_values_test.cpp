#include "device/primitives/place_values.h"

#include "base/error.h"
#include "device/emulator/test_orders.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <iterator>
#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;
using Bytes = std::vector<uint8_t>;

class PlaceValues : public testing::TestWithParam<emulator::Schedule> {};

/// A page on the host.
struct HostPage {
  Bytes data;
  Bytes levels;
  bool has_levels;
};

Bytes some_bytes(int64_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes bytes(static_cast<size_t>(n));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

/// Pages of all test sizes with their values: all valid, some valid, none valid.
std::vector<HostPage> some_pages(int64_t stored_bytes) {
  std::vector<HostPage> pages;
  for (const int64_t n : emulator::kTestSizes) {
    Bytes levels = some_bytes(n, static_cast<uint64_t>(n));
    for (uint8_t& level : levels) level &= 1;
    pages.push_back({some_bytes(n * stored_bytes, 1), levels, false});
    pages.push_back({some_bytes(std::count(levels.begin(), levels.end(), 1) * stored_bytes, 2), levels, true});
  }
  pages.push_back({{}, Bytes(40, 0), true});
  return pages;
}

/// Places what is enqueued for the pages, and compares each page with the reference.
template <class Value, class Read>
void compare_with_host(TestDevice& device, const std::vector<HostPage>& from, int64_t stored_bytes, Read read,
                       const std::function<void(DeviceStream&, const ValuePages&)>& place) {
  std::vector<ValuePage> pages;
  for (const auto& [data, levels, has_levels] : from) {
    pages.push_back({has_levels ? device.put(levels) : nullptr, static_cast<int64_t>(levels.size()), device.put(data),
                     static_cast<int64_t>(data.size()), device.put(std::vector<Value>(levels.size(), Value{7}))});
  }
  const auto num_pages = static_cast<int64_t>(pages.size());
  auto* statuses = device.make<PageStatus>(num_pages);
  place(device.stream(), {device.put(pages), num_pages, statuses});
  const std::vector<PageStatus> found = device.get(statuses, num_pages);
  for (size_t i = 0; i < from.size(); ++i) {
    std::vector<Value> expected(from[i].levels.size(), Value{7});
    const PageStatus status =
        place_on_host(from[i].has_levels ? &from[i].levels : nullptr, from[i].data, stored_bytes, read, expected);
    EXPECT_EQ(found[i], status) << "page " << i << ", " << sizeof(Value) << " bytes";
    EXPECT_TRUE(device.get(static_cast<Value*>(pages[i].to), pages[i].num_rows) == expected)
        << "page " << i << ", " << sizeof(Value) << " bytes";
  }
}

template <class Stored, class Value>
void compare_integers(const emulator::Schedule& schedule, const std::vector<HostPage>& pages) {
  TestDevice device(schedule);
  const auto read = [](const uint8_t* from) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    return std::optional(static_cast<Value>(stored));
  };
  compare_with_host<Value>(device, pages, sizeof(Stored), read,
                           [](DeviceStream& stream, const ValuePages& device_pages) {
                             place_integers(stream, sizeof(Stored), sizeof(Value), device_pages);
                           });
}

template <class Value>
void compare_decimals(const emulator::Schedule& schedule, int32_t stored_bytes) {
  TestDevice device(schedule);
  const auto read = [stored_bytes](const uint8_t* from) {
    Value value = (from[0] & 0x80) != 0 ? -1 : 0;
    for (int32_t i = 0; i < stored_bytes; ++i) value = static_cast<Value>(static_cast<uint128>(value) << 8 | from[i]);
    return std::optional(value);
  };
  compare_with_host<Value>(device, {{some_bytes(70 * stored_bytes, 3), Bytes(70), false}}, stored_bytes, read,
                           [stored_bytes](DeviceStream& stream, const ValuePages& pages) {
                             place_decimals(stream, stored_bytes, sizeof(Value), pages);
                           });
}

constexpr uint32_t kNumEntries = 50;

/// A page of some indices, one of which may be out of range, with a null before each.
HostPage page_of_indices(uint32_t num_indices, uint32_t largest) {
  HostPage page = {{}, {}, true};
  for (uint32_t i = 0; i < num_indices; ++i) {
    const uint32_t index = i == num_indices / 2 ? largest : i * 7 % kNumEntries;
    for (int k = 0; k < 4; ++k) page.data.push_back(static_cast<uint8_t>(index >> (8 * k)));
    page.levels.insert(page.levels.end(), {0, 1});
  }
  return page;
}

std::vector<HostPage> pages_of_indices() {
  return {page_of_indices(100, kNumEntries - 1), page_of_indices(100, kNumEntries), page_of_indices(3, 0xffffffff)};
}

std::optional<uint32_t> read_index(const uint8_t* from) {
  uint32_t index;
  std::memcpy(&index, from, sizeof index);
  return index < kNumEntries ? std::optional(index) : std::nullopt;
}

template <class Value>
void compare_entries(const emulator::Schedule& schedule) {
  TestDevice device(schedule);
  std::vector<Value> entries(kNumEntries);
  for (size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<Value>((i + 1) * 0x9E3779B97F4A7C15u);
  const auto read = [&entries](const uint8_t* from) {
    const std::optional<uint32_t> index = read_index(from);
    return index ? std::optional(entries[*index]) : std::nullopt;
  };
  compare_with_host<Value>(device, pages_of_indices(), 4, read, [&](DeviceStream& stream, const ValuePages& pages) {
    place_dictionary_values(stream, sizeof(Value), device.put(entries), kNumEntries, pages);
  });
}

TEST_P(PlaceValues, EqualsTheReference) {
  compare_integers<uint32_t, uint32_t>(GetParam(), some_pages(4));
  compare_integers<uint64_t, uint64_t>(GetParam(), {{some_bytes(1600, 4), Bytes(200), false}});
}

TEST_P(PlaceValues, NarrowsIntegers) {
  const std::vector<HostPage> pages = {{some_bytes(800, 4), Bytes(200), false}};
  compare_integers<uint32_t, uint8_t>(GetParam(), pages);
  compare_integers<uint32_t, uint16_t>(GetParam(), pages);
}

TEST_P(PlaceValues, ExtendsIntegersWithTheirSign) {
  compare_integers<int32_t, int64_t>(GetParam(), {{some_bytes(800, 4), Bytes(200), false}});
  compare_integers<int32_t, int128>(GetParam(), {{some_bytes(800, 4), Bytes(200), false}});
  compare_integers<int64_t, int128>(GetParam(), {{some_bytes(1600, 4), Bytes(200), false}});
}

/// Places booleans that stand one in every so many bits, and finds the end of a page that is too short.
void compare_booleans(const emulator::Schedule& schedule, int64_t bits,
                      void (*place)(DeviceStream& stream, const ValuePages& pages)) {
  constexpr int64_t kRows = 200;
  TestDevice device(schedule);
  const Bytes data = some_bytes(kRows * bits / 8, 8);
  const Bytes levels(kRows, 1);
  const std::vector<ValuePage> pages = {
      {nullptr, kRows, device.put(data), std::ssize(data), device.make<uint8_t>(kRows)},
      {device.put(levels), kRows, device.put(data), std::ssize(data) - 1, device.make<uint8_t>(kRows)}};
  auto* statuses = device.make<PageStatus>(2);
  place(device.stream(), {device.put(pages), 2, statuses});
  EXPECT_EQ(device.get(statuses, 2), (std::vector{PageStatus::Sound, PageStatus::EndsEarly}));
  const Bytes placed = device.get(static_cast<uint8_t*>(pages[0].to), kRows);
  for (int64_t i = 0; i < kRows; ++i) {
    const int64_t bit = i * bits;
    EXPECT_EQ(placed[static_cast<size_t>(i)], data[static_cast<size_t>(bit / 8)] >> (bit % 8) & 1) << "row " << i;
  }
}

TEST_P(PlaceValues, ReadsBooleans) {
  compare_booleans(GetParam(), 1, place_booleans);
  compare_booleans(GetParam(), 8, place_expanded_booleans);
}

TEST_P(PlaceValues, ReadsDecimals) {
  for (const int32_t stored_bytes : {1, 5, 8}) compare_decimals<int64_t>(GetParam(), stored_bytes);
  for (const int32_t stored_bytes : {1, 9, 16}) compare_decimals<int128>(GetParam(), stored_bytes);
}

TEST_P(PlaceValues, LooksUpEntriesOfEveryWidth) {
  compare_entries<uint8_t>(GetParam());
  compare_entries<uint16_t>(GetParam());
  compare_entries<uint32_t>(GetParam());
  compare_entries<uint64_t>(GetParam());
  compare_entries<uint128>(GetParam());
}

TEST_P(PlaceValues, KeepsCodes) {
  TestDevice device(GetParam());
  compare_with_host<uint32_t>(
      device, pages_of_indices(), 4, read_index,
      [](DeviceStream& stream, const ValuePages& pages) { place_dictionary_codes(stream, kNumEntries, pages); });
}

TEST_P(PlaceValues, FindsWhatIsWrong) {
  const Bytes levels = {1, 1, 0, 1};
  std::vector<HostPage> pages;
  for (int64_t num_bytes = 0; num_bytes <= 13; ++num_bytes) {
    pages.push_back({some_bytes(num_bytes, 5), levels, true});
    pages.push_back({some_bytes(num_bytes, 5), levels, false});
  }
  pages.push_back({some_bytes(8, 5), {1, 2, 0, 1}, true});
  pages.push_back({some_bytes(4, 5), {1, 255, 0, 1}, true});
  compare_integers<uint32_t, uint32_t>(GetParam(), pages);
}

TEST_P(PlaceValues, LevelBitsEqualTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    Bytes levels = some_bytes(n, 6);
    for (uint8_t& level : levels) level &= 3;
    TestDevice device(GetParam());
    const auto num_words = (n + 31) / 32;
    auto* to = device.make<uint32_t>(num_words);
    level_bits(device.stream(), device.put(levels), n, to);
    EXPECT_EQ(device.get(to, num_words), level_bits_on_host(levels)) << n << " rows";
  }
}

TEST(PlaceValuesWidths, RefusesOthers) {
  TestDevice device(emulator::test_orders().front());
  EXPECT_THROW(place_integers(device.stream(), 8, 4, {}), Error);
  EXPECT_THROW(place_integers(device.stream(), 1, 1, {}), Error);
  EXPECT_THROW(place_decimals(device.stream(), 9, 8, {}), Error);
  EXPECT_THROW(place_decimals(device.stream(), 0, 8, {}), Error);
  EXPECT_THROW(place_dictionary_values(device.stream(), 3, nullptr, 0, {}), Error);
}

INSTANTIATE_TEST_SUITE_P(Orders, PlaceValues, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
