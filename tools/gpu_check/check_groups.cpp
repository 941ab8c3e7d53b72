#include "device/emulator/block.h"
#include "device/kernels/list.h"
#include "device/primitives/generate.h"
#include "device/primitives/group_rows.h"
#include "device/primitives/update_groups.h"
#include "device_memory.h"
#include "functions/aggregate/plain_words.h"
#include "primitives.h"
#include "types/integers.h"

#include <algorithm>
#include <utility>

namespace accelerant::gpu_check {

namespace {

using Words = std::vector<uint64_t>;
using Key = std::pair<uint64_t, uint64_t>;

constexpr int64_t kNumKeys = 1'000;

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

  const device::DeviceGroupTable& get() const { return table_; }

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
  const device::DeviceGroupTable table_;
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

using Kernel = device::UpdateKernel<device::kernels::SumOfLongs>;
using Sum = device::kernels::SumOfLongs::Shared;

Words sums_on_host(const std::vector<int64_t>& values, const std::vector<int32_t>& groups, int64_t num_groups) {
  Words words(static_cast<size_t>(num_groups * Sum::kNumWords));
  for (size_t row = 0; row < groups.size(); ++row) {
    if (groups[row] >= 0)
      Sum::update(functions::PlainWords<>{words.data() + groups[row] * Sum::kNumWords}, false, values[row]);
  }
  return words;
}

/// Sums alone: other aggregates are compiled with pipelines, whose checks compare them.
bool updates_groups(device::Device& device, int64_t n, int64_t num_groups) {
  DeviceMemory memory(device);
  const auto groups = device::generate_on_host<int32_t>({23, -1, static_cast<uint64_t>(num_groups + 1)}, n);
  const auto values = device::generate_on_host<int64_t>({21, INT64_MIN, ~uint64_t{0}}, n);
  const int64_t num_words = num_groups * Sum::kNumWords;
  auto* states = memory.make<uint64_t>(num_words);
  memory.stream().fill(states, 0, num_words * static_cast<int64_t>(sizeof(uint64_t)));
  const device::kernels::GroupColumn column{memory.put(values), nullptr, states};
  device::update_groups(memory.stream(), device::emulator::entry_of<Kernel>(),
                        {memory.put(groups), n, num_groups, Kernel::kNumWords, {&column, 1}});
  return memory.get(states, num_words) == sums_on_host(values, groups, num_groups);
}

bool update_groups(device::Device& device, int64_t n) {
  return updates_groups(device, n, 4) && updates_groups(device, n, kNumKeys);
}

constexpr PrimitiveCheck kChecks[] = {
    {"group_rows", group_rows}, {"move_groups", move_groups}, {"update_groups", update_groups}};

}  // namespace

std::span<const PrimitiveCheck> group_checks() { return kChecks; }

}  // namespace accelerant::gpu_check
