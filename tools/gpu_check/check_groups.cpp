#include "device/primitives/group_rows.h"
#include "device/primitives/update_groups.h"
#include "device_memory.h"
#include "primitives.h"
#include "random_values.h"
#include "types/integers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace accelerant::gpu_check {

using device::AggregateKind;
using device::GroupAggregate;

namespace {

using Words = std::vector<uint64_t>;
using Key = std::pair<uint64_t, uint64_t>;

constexpr int64_t kNumKeys = 1'000;
constexpr AggregateKind kKinds[] = {AggregateKind::Count,     AggregateKind::SumInt64, AggregateKind::SumInt128,
                                    AggregateKind::SumDouble, AggregateKind::Minimum,  AggregateKind::Maximum};

/// Keys of one or two words, whose combinations are kNumKeys at most.
std::vector<Words> make_keys(int64_t n, int32_t num_words) {
  constexpr uint64_t kLowest = 10;
  if (num_words == 1) return {device::generate_on_host<uint64_t>({14, 0, kNumKeys}, n)};
  return {device::generate_on_host<uint64_t>({17, 0, kNumKeys / kLowest}, n),
          device::generate_on_host<uint64_t>({18, 0, kLowest}, n)};
}

Key key_at(const std::vector<Words>& words, size_t row) {
  return {words[0][row], words.size() > 1 ? words[1][row] : 0};
}

/// A table on a device, and what it says of its groups.
class Table {
 public:
  Table(DeviceMemory& memory, int32_t num_words, int64_t max_groups)
      : memory_(memory),
        table_{num_words, max_groups, memory.make<char>(device::group_table_bytes(num_words, max_groups))} {
    device::clear_groups(memory.stream(), table_);
  }

  const device::GroupTable& get() const { return table_; }

  std::vector<int32_t> group(const std::vector<Words>& words) {
    const auto n = static_cast<int64_t>(words[0].size());
    auto* groups = memory_.make<int32_t>(n);
    const device::GroupKeys keys = {{memory_.put(words[0]), words.size() > 1 ? memory_.put(words[1]) : nullptr}, n};
    device::group_rows(memory_.stream(), table_, keys, groups);
    return memory_.get(groups, n);
  }
  int64_t num_groups() { return static_cast<int64_t>(memory_.get(device::num_groups_of(table_), 1)[0]); }
  std::vector<Words> keys() {
    const int64_t n = std::min(num_groups(), table_.max_groups);
    std::vector<Words> words;
    for (int32_t i = 0; i < table_.num_words; ++i) words.push_back(memory_.get(device::group_keys_of(table_, i), n));
    return words;
  }

 private:
  DeviceMemory& memory_;
  const device::GroupTable table_;
};

/// Says whether each row has the group of its key, and whether the groups are those of the keys. Numbers are chance's.
bool are_groups_of(const std::vector<int32_t>& groups, Table& table, const std::vector<Words>& words) {
  const std::vector<Words> keys = table.keys();
  const std::vector<int32_t> expected = device::group_rows_on_host(words);
  const int32_t num_expected = expected.empty() ? 0 : *std::ranges::max_element(expected) + 1;
  if (std::ssize(keys[0]) != num_expected || table.num_groups() != num_expected) return false;
  for (size_t row = 0; row < groups.size(); ++row) {
    if (groups[row] < 0 || groups[row] >= num_expected) return false;
    if (key_at(keys, static_cast<size_t>(groups[row])) != key_at(words, row)) return false;
  }
  return true;
}

bool groups_rows(device::Device& device, int64_t n, int32_t num_words) {
  DeviceMemory memory(device);
  const std::vector<Words> words = make_keys(n, num_words);
  Table table(memory, num_words, kNumKeys);
  return are_groups_of(table.group(words), table, words);
}

bool group_rows(device::Device& device, int64_t n) { return groups_rows(device, n, 1) && groups_rows(device, n, 2); }

/// A table that is too small says so; its groups keep their numbers in a larger one, which then takes all rows.
bool move_groups(device::Device& device, int64_t n) {
  DeviceMemory memory(device);
  const std::vector<Words> words = make_keys(n, 2);
  Table small(memory, 2, kNumKeys / 4);
  const std::vector<int32_t> first = small.group(words);
  const bool has_room = std::ranges::find(first, -1) == first.end();
  if (has_room != (small.num_groups() <= small.get().max_groups)) return false;
  Table large(memory, 2, kNumKeys);
  device::move_groups(memory.stream(), small.get(), large.get());
  const std::vector<int32_t> second = large.group(words);
  for (size_t row = 0; row < first.size(); ++row) {
    if (first[row] >= 0 && first[row] != second[row]) return false;
  }
  return are_groups_of(second, large, words);
}

/// Values of all kinds of aggregates, some of which are null.
struct Values {
  explicit Values(int64_t n) : longs(device::generate_on_host<int64_t>({21, INT64_MIN, ~uint64_t{0}}, n)) {
    for (const int64_t value : longs) {
      wide.push_back(static_cast<int128>(value) << 60 | (value >> 5));
      doubles.push_back(std::ldexp(static_cast<double>(value), static_cast<int>(value % 300)));
    }
    validity = random_bytes((n + 31) / 32 * 4, 22);
  }

  std::vector<int64_t> longs;
  std::vector<int128> wide;
  std::vector<double> doubles;
  std::vector<uint8_t> validity;
};

const void* values_of(AggregateKind kind, const void* longs, const void* wide, const void* doubles) {
  if (kind == AggregateKind::Count) return nullptr;
  if (kind == AggregateKind::SumInt128) return wide;
  return kind == AggregateKind::SumDouble ? doubles : longs;
}

int64_t num_words(AggregateKind kind, int64_t num_groups) { return num_groups * device::num_state_words(kind); }

/// Returns the states that the host makes, by aggregate.
std::vector<Words> states_on_host(const Values& values, const std::vector<int32_t>& groups, int64_t num_groups) {
  std::vector<Words> states;
  for (const AggregateKind kind : kKinds) {
    Words& words = states.emplace_back(static_cast<size_t>(num_words(kind, num_groups)));
    const GroupAggregate aggregate = {kind,
                                      values_of(kind, values.longs.data(), values.wide.data(), values.doubles.data()),
                                      values.validity.data(), words.data()};
    device::update_groups_on_host({groups.data(), std::ssize(groups), num_groups, {&aggregate, 1}});
  }
  return states;
}

std::vector<Words> states_on_device(DeviceMemory& memory, const Values& values, const std::vector<int32_t>& groups,
                                    int64_t num_groups) {
  const auto* longs = memory.put(values.longs);
  const auto* wide = memory.put(values.wide);
  const auto* doubles = memory.put(values.doubles);
  const uint8_t* validity = memory.put(values.validity);
  std::vector<GroupAggregate> aggregates;
  for (const AggregateKind kind : kKinds) {
    const int64_t words = num_words(kind, num_groups);
    auto* states = memory.make<uint64_t>(words);
    memory.stream().fill(states, 0, words * static_cast<int64_t>(sizeof(uint64_t)));
    aggregates.push_back({kind, values_of(kind, longs, wide, doubles), validity, states});
  }
  device::update_groups(memory.stream(), {memory.put(groups), std::ssize(groups), num_groups, aggregates});
  std::vector<Words> found;
  for (const GroupAggregate& aggregate : aggregates) {
    found.push_back(memory.get(aggregate.states, num_words(aggregate.kind, num_groups)));
  }
  return found;
}

bool updates_groups(device::Device& device, const Values& values, int64_t n, int64_t num_groups) {
  DeviceMemory memory(device);
  const std::vector<int32_t> groups =
      device::generate_on_host<int32_t>({23, -1, static_cast<uint64_t>(num_groups + 1)}, n);
  return states_on_device(memory, values, groups, num_groups) == states_on_host(values, groups, num_groups);
}

bool update_groups(device::Device& device, int64_t n) {
  const Values values(n);
  return updates_groups(device, values, n, 4) && updates_groups(device, values, n, kNumKeys);
}

constexpr PrimitiveCheck kChecks[] = {
    {"group_rows", group_rows}, {"move_groups", move_groups}, {"update_groups", update_groups}};

}  // namespace

std::span<const PrimitiveCheck> group_checks() { return kChecks; }

}  // namespace accelerant::gpu_check
