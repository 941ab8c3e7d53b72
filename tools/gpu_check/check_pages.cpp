#include "device/primitives/decompress_snappy.h"
#include "device/primitives/expand_deltas.h"
#include "device/primitives/expand_runs.h"
#include "device/primitives/find_values.h"
#include "device/primitives/test_deltas.h"
#include "device/primitives/test_runs.h"
#include "device/primitives/test_snappy.h"
#include "device/primitives/test_string_pages.h"
#include "device_memory.h"
#include "primitives.h"
#include "random_values.h"

#include <algorithm>

namespace accelerant::gpu_check {

using device::PageStatus;
using Bytes = std::vector<uint8_t>;

namespace {

/// What a page is decoded to, on the host.
template <class Value>
struct Expected {
  const Value* on_device;
  std::vector<Value> values;
};

template <class Value>
bool are_equal(DeviceMemory& memory, const std::vector<Expected<Value>>& pages) {
  return std::ranges::all_of(pages, [&](const Expected<Value>& page) {
    return memory.get(page.on_device, std::ssize(page.values)) == page.values;
  });
}

bool are_sound(DeviceMemory& memory, const PageStatus* statuses, int64_t n) {
  return memory.get(statuses, n) == std::vector(static_cast<size_t>(n), PageStatus::Sound);
}

/// Writes runs of both kinds, of at least so many values.
device::RunWriter some_runs(int64_t n, int bit_width) {
  device::RunWriter runs(bit_width);
  const device::RandomColumn values{41, 0, uint64_t{1} << bit_width};
  for (int64_t row = 0; std::ssize(runs.values()) < n; row += 24) {
    runs.repeat(static_cast<uint32_t>(values.at(row)), 1 + static_cast<uint64_t>(row) % 50);
    std::vector<uint32_t> packed;
    for (int64_t i = 0; i < 24; ++i) packed.push_back(static_cast<uint32_t>(values.at(row + i)));
    runs.pack(packed);
  }
  return runs;
}

template <class Value>
bool expands_runs(device::Device& device, int64_t n) {
  constexpr size_t kMostBits = 8 * sizeof(Value);
  DeviceMemory memory(device);
  std::vector<device::RunStream> streams;
  std::vector<Expected<Value>> expected;
  for (const int64_t num_values : page_sizes(n)) {
    const int bit_width = static_cast<int>((streams.size() + static_cast<size_t>(n)) % kMostBits) + 1;
    const device::RunWriter runs = some_runs(num_values, bit_width);
    std::vector<uint32_t> values;
    device::expand_runs_on_host(runs.bytes(), bit_width, num_values, values);
    auto* to = memory.make<Value>(num_values);
    streams.push_back({memory.put(runs.bytes()), runs.num_bytes(), num_values, to, bit_width});
    expected.push_back({to, {values.begin(), values.end()}});
  }
  auto* statuses = memory.make<PageStatus>(std::ssize(streams));
  device::expand_runs(memory.stream(), sizeof(Value), memory.put(streams), std::ssize(streams), statuses);
  return are_sound(memory, statuses, std::ssize(streams)) && are_equal(memory, expected);
}

bool expand_runs(device::Device& device, int64_t n) {
  return expands_runs<uint8_t>(device, n) && expands_runs<uint32_t>(device, n);
}

template <class Value>
bool expands_deltas(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  std::vector<device::DeltaStream> streams;
  std::vector<Expected<Value>> expected;
  for (const int64_t num_values : page_sizes(n)) {
    const int bit_width = static_cast<int>((streams.size() + static_cast<size_t>(n)) % 65);
    const std::vector<int64_t> values = device::deltas::some_values(num_values, bit_width);
    const Bytes data = device::deltas::encode(values, {4, 32});
    std::vector<int64_t> decoded;
    if (!device::expand_deltas_on_host(data, num_values, decoded) || decoded != values) return false;
    auto* to = memory.make<Value>(num_values);
    streams.push_back({memory.put(data), std::ssize(data), num_values, to});
    expected.push_back({to, {}});
    for (const int64_t value : decoded) expected.back().values.push_back(static_cast<Value>(value));
  }
  auto* statuses = memory.make<PageStatus>(std::ssize(streams));
  device::expand_deltas(memory.stream(), sizeof(Value), memory.put(streams), std::ssize(streams), statuses);
  return are_sound(memory, statuses, std::ssize(streams)) && are_equal(memory, expected);
}

bool expand_deltas(device::Device& device, int64_t n) {
  return expands_deltas<uint32_t>(device, n) && expands_deltas<uint64_t>(device, n);
}

/// Rows are elements of the blocks.
bool decompress_snappy(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  std::vector<device::SnappyBlock> blocks;
  std::vector<Expected<uint8_t>> expected;
  for (const int64_t num_elements : page_sizes(n)) {
    const auto writer =
        device::snappy::some_block(static_cast<int>(num_elements), static_cast<uint32_t>(blocks.size()));
    const Bytes from = writer.block();
    Bytes bytes(writer.made().size());
    if (!device::decompress_snappy_on_host(from, bytes) || bytes != writer.made()) return false;
    auto* to = memory.make<uint8_t>(std::ssize(bytes));
    blocks.push_back({memory.put(from), std::ssize(from), to, std::ssize(bytes)});
    expected.push_back({to, bytes});
  }
  auto* statuses = memory.make<PageStatus>(std::ssize(blocks));
  device::decompress_snappy(memory.stream(), memory.put(blocks), std::ssize(blocks), statuses);
  return are_sound(memory, statuses, std::ssize(blocks)) && are_equal(memory, expected);
}

/// A page of indices with its levels in front, and what is to be found in it.
struct IndexPage {
  IndexPage(int64_t num_rows, uint64_t seed) : levels(random_levels(num_rows, seed)) {
    device::RunWriter runs(1);
    for (const uint8_t level : levels) runs.repeat(level, 1);
    const Bytes written = runs.bytes();
    device::string_pages::put_length(written.size(), bytes);
    bytes.insert(bytes.end(), written.begin(), written.end());
    values_begin = std::ssize(bytes);
    bytes.insert(bytes.end(), {kBitWidth, 1, 2, 3});
    num_values = std::ranges::count(levels, 1);
  }

  static constexpr uint8_t kBitWidth = 5;
  Bytes levels;
  Bytes bytes;
  int64_t values_begin = 0;
  int64_t num_values = 0;
};

/// Pages of indices on a device, and what is found in them.
class FoundPages {
 public:
  FoundPages(DeviceMemory& memory, const std::vector<IndexPage>& from) : memory_(memory), from_(from) {
    for (const IndexPage& page : from) {
      device::PageBody& body = pages_.emplace_back();
      body.body = {memory.put(page.bytes), std::ssize(page.bytes)};
      body.levels_in_body = true;
      body.encoding = device::PageEncoding::Dictionary;
      body.value_bytes = sizeof(uint32_t);
      body.num_rows = std::ssize(page.levels);
      body.level_bytes = memory.make<uint8_t>(body.num_rows);
      body.expanded = memory.make<uint32_t>(body.num_rows);
    }
    empty(streams_.levels);
    empty(streams_.values);
    empty(streams_.booleans);
    empty(streams_.indices);
    empty(streams_.deltas);
    empty(streams_.strings);
    empty(streams_.placed);
  }

  /// Finds levels, expands them, and finds values behind them, as every reader of pages does. Says whether all are
  /// sound.
  bool find() {
    auto* statuses = memory_.make<PageStatus>(size());
    const device::PageBody* pages = memory_.put(pages_);
    device::find_levels(memory_.stream(), pages, size(), streams_, statuses);
    if (!are_sound(memory_, statuses, size())) return false;
    device::expand_runs(memory_.stream(), 1, streams_.levels, size(), statuses);
    if (!are_sound(memory_, statuses, size())) return false;
    device::find_values(memory_.stream(), pages, size(), streams_, statuses);
    return are_sound(memory_, statuses, size());
  }

  bool are_levels_equal() const {
    for (size_t i = 0; i < from_.size(); ++i) {
      if (memory_.get(pages_[i].level_bytes, pages_[i].num_rows) != from_[i].levels) return false;
    }
    return true;
  }
  bool are_values_equal() const {
    const auto indices = memory_.get(streams_.indices, size());
    const auto placed = memory_.get(streams_.placed, size());
    for (size_t i = 0; i < from_.size(); ++i) {
      const int64_t num_values = from_[i].num_values;
      if (indices[i].num_values != num_values) return false;
      if (placed[i].num_bytes != num_values * static_cast<int64_t>(sizeof(uint32_t))) return false;
      if (num_values == 0) continue;
      if (indices[i].data != pages_[i].body.data + from_[i].values_begin + 1) return false;
      if (indices[i].bit_width != IndexPage::kBitWidth) return false;
    }
    return true;
  }

 private:
  int64_t size() const { return std::ssize(pages_); }
  template <class T>
  void empty(T*& streams) {
    streams = memory_.put(std::vector<T>(pages_.size()));
  }

  DeviceMemory& memory_;
  const std::vector<IndexPage>& from_;
  std::vector<device::PageBody> pages_;
  device::PageStreams streams_ = {};
};

bool find_values(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  std::vector<IndexPage> pages;
  for (const int64_t num_rows : page_sizes(n)) pages.emplace_back(num_rows, pages.size());
  FoundPages found(memory, pages);
  return found.find() && found.are_levels_equal() && found.are_values_equal();
}

constexpr PrimitiveCheck kChecks[] = {{"expand_runs", expand_runs},
                                      {"expand_deltas", expand_deltas},
                                      {"decompress_snappy", decompress_snappy},
                                      {"find_levels, find_values", find_values}};

}  // namespace

std::span<const PrimitiveCheck> page_checks() { return kChecks; }

}  // namespace accelerant::gpu_check
