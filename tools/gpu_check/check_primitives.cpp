#include "device/primitives/compact.h"
#include "device/primitives/exclusive_scan.h"
#include "device/primitives/gather.h"
#include "device/primitives/generate.h"
#include "device/primitives/group_rows.h"
#include "device/primitives/radix_sort.h"
#include "device/primitives/reduce.h"
#include "device/primitives/update_groups.h"
#include "device_memory.h"
#include "primitives.h"

#include <map>
#include <numeric>

namespace accelerant::gpu_check {

using device::RandomColumn;

namespace {

const RandomColumn kValues{11, -1'000'000'000'000, 2'000'000'000'001};
const RandomColumn kSizes{12, 0, 40};
const RandomColumn kBytes{13, 0, 256};
const RandomColumn kKeys{14, 0, 1000};

/// The primitives over one number of rows; each says whether device and host agree.
class Checks {
 public:
  Checks(device::Device& device, int64_t n)
      : memory_(device), n_(n), values_(device::generate_on_host<int64_t>(kValues, n)) {}

  bool generate() {
    auto* narrow = memory_.make<int32_t>(n_);
    device::generate(stream(), kSizes, n_, 4, narrow);
    device_values();
    return memory_.get(narrow, n_) == device::generate_on_host<int32_t>(kSizes, n_) &&
           memory_.get(device_values_, n_) == values_;
  }

  bool reduce() {
    using device::Reduction;
    bool is_equal = true;
    for (const Reduction reduction : {Reduction::Sum, Reduction::Minimum, Reduction::Maximum}) {
      auto* to = memory_.make<int64_t>(1);
      device::reduce(stream(), reduction, device_values(), n_, to, workspace(device::reduce_workspace_bytes(n_)));
      is_equal = is_equal && memory_.get(to, 1)[0] == device::reduce_on_host(reduction, values_);
    }
    return is_equal;
  }

  bool exclusive_scan() {
    auto* to = memory_.make<int64_t>(n_ + 1);
    device::exclusive_scan<int64_t>(stream(), device_values(), n_, to,
                                    workspace(device::exclusive_scan_workspace_bytes(n_)));
    return memory_.get(to, n_ + 1) == device::exclusive_scan_on_host<int64_t>(values_);
  }

  bool compact() {
    std::vector<uint8_t> bits;
    for (const int32_t byte : device::generate_on_host<int32_t>(kBytes, (n_ + 7) / 8)) {
      bits.push_back(static_cast<uint8_t>(byte));
    }
    auto* rows = memory_.make<int32_t>(n_);
    auto* num_selected = memory_.make<int64_t>(1);
    device::compact(stream(), memory_.put(bits), n_, rows, num_selected,
                    workspace(device::compact_workspace_bytes(n_)));
    return memory_.get(rows, memory_.get(num_selected, 1)[0]) == device::compact_on_host(bits.data(), n_);
  }

  bool gather() {
    if (n_ == 0) return true;
    const auto rows = device::generate_on_host<int32_t>({15, 0, static_cast<uint64_t>(n_)}, n_);
    std::vector<int64_t> expected(rows.size());
    device::gather_on_host<int64_t>(values_, rows, expected);
    auto* to = memory_.make<int64_t>(n_);
    device::gather(stream(), sizeof(int64_t), device_values(), memory_.put(rows), n_, to);
    return memory_.get(to, n_) == expected;
  }

  bool radix_sort() {
    constexpr int32_t kNumBits = 40;
    const std::vector<uint64_t> keys(values_.begin(), values_.end());
    auto* sorted_keys = memory_.make<uint64_t>(n_);
    auto* sorted_rows = memory_.make<int32_t>(n_);
    device::radix_sort(stream(), {memory_.put(keys), nullptr, n_, kNumBits, sorted_keys, sorted_rows},
                       workspace(device::radix_sort_workspace_bytes(n_, kNumBits)));
    return memory_.get(sorted_rows, n_) == device::radix_sort_on_host(keys, kNumBits);
  }

  /// Groups have the numbers that chance gives them: what belongs to each key is compared.
  bool group_by() {
    const auto num_keys = static_cast<int64_t>(kKeys.num_values);
    auto* keys = memory_.make<uint64_t>(n_);
    device::generate(stream(), kKeys, n_, 8, keys);
    const device::GroupTable table{1, num_keys, workspace(device::group_table_bytes(1, num_keys))};
    auto* groups = memory_.make<int32_t>(n_);
    const int64_t state_words = num_keys * device::num_state_words(device::AggregateKind::SumInt64);
    auto* states = memory_.make<uint64_t>(state_words);
    stream().fill(states, 0, state_words * static_cast<int64_t>(sizeof(uint64_t)));
    device::clear_groups(stream(), table);
    device::group_rows(stream(), table, {{keys, nullptr}, n_}, groups);
    const device::GroupAggregate aggregate{device::AggregateKind::SumInt64, device_values(), nullptr, states};
    device::update_groups(stream(), {groups, n_, num_keys, {&aggregate, 1}});
    return sums_by_key(table, states) == sums_by_key_on_host();
  }

 private:
  using Sums = std::map<uint64_t, int64_t>;

  device::Stream& stream() { return memory_.stream(); }
  void* workspace(int64_t bytes) { return memory_.make<char>(bytes); }

  const int64_t* device_values() {
    if (device_values_ == nullptr) {
      device_values_ = memory_.make<int64_t>(n_);
      device::generate(stream(), kValues, n_, 8, device_values_);
    }
    return device_values_;
  }

  Sums sums_by_key(const device::GroupTable& table, const uint64_t* states) {
    const auto num_groups = static_cast<int64_t>(memory_.get(device::num_groups_of(table), 1)[0]);
    const auto keys = memory_.get(device::group_keys_of(table, 0), num_groups);
    const auto width = static_cast<size_t>(device::num_state_words(device::AggregateKind::SumInt64));
    const auto words = memory_.get(states, num_groups * static_cast<int64_t>(width));
    Sums sums;
    for (size_t group = 0; group < keys.size(); ++group) {
      sums[keys[group]] = static_cast<int64_t>(device::exact_sum_of(words.data() + group * width).value());
    }
    return sums;
  }

  Sums sums_by_key_on_host() const {
    Sums sums;
    for (int64_t row = 0; row < n_; ++row) {
      sums[static_cast<uint64_t>(kKeys.at(row))] += values_[static_cast<size_t>(row)];
    }
    return sums;
  }

  DeviceMemory memory_;
  const int64_t n_;
  const std::vector<int64_t> values_;
  int64_t* device_values_ = nullptr;
};

}  // namespace

void check_primitives(device::Device& device, std::span<const int64_t> sizes, Report& report) {
  constexpr std::pair<const char*, bool (Checks::*)()> kAll[] = {
      {"generate", &Checks::generate},
      {"reduce", &Checks::reduce},
      {"exclusive_scan", &Checks::exclusive_scan},
      {"compact", &Checks::compact},
      {"gather", &Checks::gather},
      {"radix_sort", &Checks::radix_sort},
      {"group_rows, update_groups", &Checks::group_by},
  };
  for (const auto& [name, check] : kAll) {
    for (const int64_t n : sizes) {
      Checks checks(device, n);
      report.check(name, n, (checks.*check)());
    }
  }
}

}  // namespace accelerant::gpu_check
