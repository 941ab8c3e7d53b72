#include "device/primitives/find_values.h"

#include "device/emulator/test_orders.h"
#include "device/primitives/test_string_pages.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <random>
#include <string>

namespace accelerant::device {
namespace {

using emulator::TestDevice;
using string_pages::page_of_strings;
using string_pages::put_length;
using Bytes = std::vector<uint8_t>;

class FindValues : public testing::TestWithParam<emulator::Schedule> {};

/// Finds the strings of one page and compares what is found with the reference.
void compare_strings(const emulator::Schedule& schedule, const Bytes& data, int64_t num_values) {
  constexpr uint32_t kFirstCode = 3;
  TestDevice device(schedule);
  const auto num_strings = static_cast<int64_t>(kFirstCode) + num_values;
  const uint8_t* bytes = device.put(data);
  const StringTable table = {bytes, device.put(std::vector<int64_t>(static_cast<size_t>(num_strings), -7)),
                             device.put(std::vector<int32_t>(static_cast<size_t>(num_strings), -7))};
  auto* codes = device.make<uint32_t>(num_values);
  const std::vector<StringPage> pages = {{bytes, std::ssize(data), num_values, table, kFirstCode, codes}};
  auto* status = device.make<PageStatus>(1);
  find_strings(device.stream(), device.put(pages), 1, status);
  HostStringSpans expected;
  EXPECT_EQ(device.get(status, 1)[0], find_strings_on_host(data, num_values, expected));
  const auto begins = device.get(table.begins, num_strings);
  const auto sizes = device.get(table.sizes, num_strings);
  for (size_t i = 0; i < kFirstCode; ++i) EXPECT_EQ(begins[i], -7);
  for (size_t i = 0; i < expected.begins.size(); ++i) {
    ASSERT_EQ(begins[kFirstCode + i], expected.begins[i]) << "string " << i;
    ASSERT_EQ(sizes[kFirstCode + i], expected.sizes[i]) << "string " << i;
    ASSERT_EQ(device.get(codes, num_values)[i], kFirstCode + i);
  }
}

TEST_P(FindValues, FindsStrings) {
  for (const int64_t n : {0, 1, 31, 127, 128, 129, 300}) compare_strings(GetParam(), page_of_strings(n), n);
}

TEST_P(FindValues, FindsTheEndOfStringsThatAreMissing) {
  Bytes page = page_of_strings(200);
  compare_strings(GetParam(), page, 201);
  page.pop_back();
  compare_strings(GetParam(), page, 200);
  compare_strings(GetParam(), {1, 0, 0}, 1);
  compare_strings(GetParam(), {0xff, 0xff, 0xff, 0xff, 1, 2}, 1);
}

/// Streams of some pages, all empty at first.
struct TestStreams {
  TestStreams(TestDevice& device, int64_t n)
      : on_device{empty<RunStream>(device, n), empty<ByteSpan>(device, n),    empty<RunStream>(device, n),
                  empty<RunStream>(device, n), empty<DeltaStream>(device, n), empty<StringPage>(device, n),
                  empty<ValuePage>(device, n)} {}

  template <class T>
  static T* empty(TestDevice& device, int64_t n) {
    return device.put(std::vector<T>(static_cast<size_t>(n)));
  }

  using RunStream = kernels::RunStream;
  using DeltaStream = kernels::DeltaStream;
  using ValuePage = kernels::ValuePage;
  PageStreams on_device;
};

TEST_P(FindValues, FindsLevelsInTheBodyAndApart) {
  TestDevice device(GetParam());
  Bytes body;
  put_length(2, body);
  body.insert(body.end(), {4, 1, 77, 78, 79});
  const Bytes apart = {6, 1};
  const uint8_t* bytes = device.put(body);
  const uint8_t* levels = device.put(apart);
  auto* level_bytes = device.make<uint8_t>(9);
  PageBody page = {};
  page.num_rows = 3;
  std::vector<PageBody> pages(4, page);
  pages[0].body = {bytes, 9};
  pages[0].levels_in_body = true;
  pages[0].level_bytes = level_bytes;
  pages[1].body = {bytes, 9};
  pages[1].levels = {levels, 2};
  pages[1].level_bytes = level_bytes + 3;
  pages[2].body = {bytes, 9};
  pages[3] = pages[0];
  pages[3].body.num_bytes = 5;
  const TestStreams streams(device, 4);
  auto* statuses = device.make<PageStatus>(4);
  find_levels(device.stream(), device.put(pages), 4, streams.on_device, statuses);
  EXPECT_EQ(device.get(statuses, 4),
            (std::vector{PageStatus::Sound, PageStatus::Sound, PageStatus::Sound, PageStatus::BadLength}));
  const auto found = device.get(streams.on_device.levels, 4);
  const auto values = device.get(streams.on_device.values, 4);
  EXPECT_EQ(found[0].data, bytes + 4);
  EXPECT_EQ(found[0].num_bytes, 2);
  EXPECT_EQ(found[0].num_values, 3);
  EXPECT_EQ(found[0].to, level_bytes);
  EXPECT_EQ(found[0].bit_width, 1);
  EXPECT_EQ(values[0].data, bytes + 6);
  EXPECT_EQ(values[0].num_bytes, 3);
  EXPECT_EQ(found[1].data, levels);
  EXPECT_EQ(values[1].data, bytes);
  EXPECT_EQ(values[1].num_bytes, 9);
  EXPECT_EQ(found[2].num_values, 0);
  EXPECT_EQ(found[3].num_values, 0);
  EXPECT_EQ(values[3].data, nullptr);
}

/// Returns a page of an encoding with 300 rows, every third of them null.
PageBody page_of(TestDevice& device, PageEncoding encoding, const uint8_t* bytes, void* expanded) {
  Bytes levels(300, 1);
  for (size_t i = 0; i < levels.size(); i += 3) levels[i] = 0;
  PageBody page = {};
  page.body = {bytes, 20};
  page.encoding = encoding;
  page.value_bytes = 4;
  page.num_rows = std::ssize(levels);
  page.level_bytes = device.put(levels);
  page.expanded = expanded;
  return page;
}

TEST_P(FindValues, CountsValuesAndSaysHowTheyAreDecoded) {
  constexpr int64_t kPages = 6;
  constexpr int64_t kValues = 200;
  TestDevice device(GetParam());
  Bytes body = {9, 0, 0, 0};
  body.resize(20, 5);
  const uint8_t* bytes = device.put(body);
  auto* expanded = device.make<uint32_t>(300);
  std::vector<PageBody> pages;
  for (const auto encoding : {PageEncoding::Plain, PageEncoding::PlainStrings, PageEncoding::Dictionary,
                              PageEncoding::Deltas, PageEncoding::Runs}) {
    pages.push_back(page_of(device, encoding, bytes, expanded));
  }
  pages.push_back(page_of(device, PageEncoding::Runs, bytes + 4, expanded));
  const TestStreams streams(device, kPages);
  auto* statuses = device.make<PageStatus>(kPages);
  const PageBody* on_device = device.put(pages);
  find_levels(device.stream(), on_device, kPages, streams.on_device, statuses);
  find_values(device.stream(), on_device, kPages, streams.on_device, statuses);
  std::vector<PageStatus> expected(kPages, PageStatus::Sound);
  expected.back() = PageStatus::BadLength;
  EXPECT_EQ(device.get(statuses, kPages), expected);
  const auto placed = device.get(streams.on_device.placed, kPages);
  EXPECT_EQ(placed[0].data, bytes);
  EXPECT_EQ(placed[0].num_bytes, 20);
  for (size_t i = 1; i < 5; ++i) EXPECT_EQ(placed[i].num_bytes, kValues * 4) << "page " << i;
  const auto strings = device.get(streams.on_device.strings, kPages)[1];
  EXPECT_EQ(strings.num_values, kValues);
  EXPECT_EQ(strings.codes, expanded);
  const auto indices = device.get(streams.on_device.indices, kPages);
  EXPECT_EQ(indices[2].bit_width, 9);
  EXPECT_EQ(indices[2].data, bytes + 1);
  EXPECT_EQ(indices[2].num_bytes, 19);
  EXPECT_EQ(indices[2].num_values, kValues);
  EXPECT_EQ(indices[3].num_values, 0);
  EXPECT_EQ(device.get(streams.on_device.deltas, kPages)[3].num_values, kValues);
  const auto booleans = device.get(streams.on_device.booleans, kPages);
  EXPECT_EQ(booleans[4].data, bytes + 4);
  EXPECT_EQ(booleans[4].num_bytes, 9);
  EXPECT_EQ(booleans[5].num_bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(Orders, FindValues, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
