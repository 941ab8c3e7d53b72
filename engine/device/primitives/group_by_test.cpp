#include "device/emulator/block.h"
#include "device/emulator/test_orders.h"
#include "device/primitives/group_rows.h"
#include "device/primitives/update_groups.h"
#include "functions/aggregate/exact_sum.h"
#include "functions/aggregate/plain_words.h"
#include "functions/aggregate/row_count.h"
#include "functions/aggregate/shared_state.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

// Rows grouped batch by batch with states that grow, as an operator does it.

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class GroupBy : public testing::TestWithParam<emulator::Schedule> {};

struct Batch {
  std::vector<uint64_t> keys;
  std::vector<int64_t> values;
};

Batch some_batch(uint64_t seed, uint64_t num_keys) {
  std::mt19937_64 random(seed);
  Batch batch;
  for (int i = 0; i < 300; ++i) {
    batch.keys.push_back(random() % num_keys << 32);
    batch.values.push_back(static_cast<int64_t>(random()));
  }
  return batch;
}

/// Groups on a device: a table, and a sum and a count for each.
class Groups {
 public:
  Groups(TestDevice& device, int64_t max_groups) : device_(device), parts_(make(max_groups)) {}

  /// Takes in a batch; makes the table larger until there is room.
  void add(const Batch& batch) {
    const auto n = static_cast<int64_t>(batch.keys.size());
    const GroupKeys keys = {{device_.put(batch.keys), nullptr}, n};
    auto* groups = device_.make<int32_t>(n);
    group_rows(device_.stream(), parts_.table, keys, groups);
    while (count() > parts_.table.max_groups) {
      grow();
      group_rows(device_.stream(), parts_.table, keys, groups);
    }
    const kernels::GroupColumn columns[] = {{device_.put(batch.values), nullptr, parts_.sums},
                                            {nullptr, nullptr, parts_.counts}};
    static constexpr KernelEntry kEntry = emulator::entry_of<Kernel>();
    update_groups(device_.stream(), kEntry, {groups, n, count(), Kernel::kNumWords, columns});
  }

  /// Returns the count and the sum of each key.
  std::map<uint64_t, std::pair<uint64_t, int128>> result() {
    const int64_t n = count();
    const std::vector<uint64_t> keys = device_.get(group_keys_of(parts_.table, 0), n);
    const std::vector<uint64_t> sums = device_.get(parts_.sums, n * kSumWords);
    const std::vector<uint64_t> counts = device_.get(parts_.counts, n);
    std::map<uint64_t, std::pair<uint64_t, int128>> by_key;
    for (size_t i = 0; i < keys.size(); ++i) {
      by_key[keys[i]] = {
          counts[i],
          Sum::read(functions::PlainWords<const uint64_t>{&sums[i * static_cast<size_t>(kSumWords)]}).value()};
    }
    return by_key;
  }

 private:
  using Sum = functions::SharedState<functions::ExactSum>;
  using Count = functions::SharedState<functions::RowCount>;
  struct Kernel : UpdateKernel<kernels::GroupAggregate<Sum, int64, false>,
                               kernels::GroupAggregate<Count, kernels::NoValue, false>> {
    static constexpr const char* kName = "test_sum_and_count";
  };
  static constexpr int64_t kSumWords = Sum::kNumWords;

  struct Parts {
    DeviceGroupTable table;
    uint64_t* sums;
    uint64_t* counts;
  };

  Parts make(int64_t max_groups) {
    const DeviceGroupTable table = {1, max_groups, device_.make<char>(group_table_bytes(1, max_groups))};
    clear_groups(device_.stream(), table);
    auto* sums = device_.put(std::vector<uint64_t>(static_cast<size_t>(max_groups * kSumWords)));
    return {table, sums, device_.put(std::vector<uint64_t>(static_cast<size_t>(max_groups)))};
  }

  int64_t count() { return static_cast<int64_t>(device_.get(num_groups_of(parts_.table), 1)[0]); }

  void grow() {
    const Parts from = parts_;
    parts_ = make(2 * from.table.max_groups);
    move_groups(device_.stream(), from.table, parts_.table);
    device_.stream().copy_on_device(parts_.sums, from.sums, from.table.max_groups * kSumWords * 8);
    device_.stream().copy_on_device(parts_.counts, from.counts, from.table.max_groups * 8);
  }

  TestDevice& device_;
  Parts parts_;
};

TEST_P(GroupBy, GrowsBatchByBatch) {
  TestDevice device(GetParam());
  Groups groups(device, 10);
  std::map<uint64_t, std::pair<uint64_t, int128>> expected;
  for (uint64_t i = 1; i <= 4; ++i) {
    const Batch batch = some_batch(i, 15 * i * i);
    groups.add(batch);
    for (size_t row = 0; row < batch.keys.size(); ++row) {
      auto& [count, sum] = expected[batch.keys[row]];
      ++count;
      sum += batch.values[row];
    }
  }
  EXPECT_TRUE(groups.result() == expected);
}

INSTANTIATE_TEST_SUITE_P(Orders, GroupBy, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
