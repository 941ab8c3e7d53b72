#include "device/primitives/update_groups.h"

#include "base/bits.h"
#include "device/emulator/block.h"
#include "device/emulator/test_orders.h"
#include "functions/aggregate/average.h"
#include "functions/aggregate/bit_and_agg.h"
#include "functions/aggregate/bit_or_agg.h"
#include "functions/aggregate/bit_xor_agg.h"
#include "functions/aggregate/count.h"
#include "functions/aggregate/max.h"
#include "functions/aggregate/min.h"
#include "functions/aggregate/plain_words.h"
#include "functions/aggregate/shared_state.h"
#include "functions/aggregate/sum.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;
using functions::SharedState;
using kernels::GroupAggregate;
using kernels::NoValue;

using HostAccess = functions::PlainWords<>;

/// Rows of groups, some of none, with values of each type.
struct Rows {
  std::vector<int32_t> groups;
  std::vector<int64_t> longs;
  std::vector<int8_t> bytes;
  std::vector<int128> wide;
  std::vector<double> doubles;
  std::vector<uint8_t> validity;

  template <class T>
  const auto& values() const {
    if constexpr (std::is_same_v<T, int128>) {
      return wide;
    } else if constexpr (std::is_same_v<T, double>) {
      return doubles;
    } else if constexpr (std::is_same_v<T, int8>) {
      return bytes;
    } else {
      return longs;
    }
  }
};

/// Any double: of any exponent or of common ones, now and then not finite.
double some_double(std::mt19937_64& random) {
  const uint64_t bits = random();
  if (bits % 4 == 0) return std::bit_cast<double>(random());
  return static_cast<double>(static_cast<int64_t>(random()) >> (bits % 60)) / 128;
}

/// Values of few and of many bits, and of either sign.
Rows some_rows(int64_t n, int32_t num_groups) {
  std::mt19937_64 random(static_cast<uint64_t>(n + num_groups));
  const auto size = static_cast<size_t>(n);
  Rows rows = {std::vector<int32_t>(size), std::vector<int64_t>(size), std::vector<int8_t>(size),
               std::vector<int128>(size),  std::vector<double>(size),  std::vector<uint8_t>(size / 8 + 1)};
  for (size_t i = 0; i < size; ++i) {
    rows.groups[i] = static_cast<int32_t>(random() % static_cast<uint64_t>(num_groups + 1)) - 1;
    rows.longs[i] = static_cast<int64_t>(random()) >> (random() % 64);
    rows.bytes[i] = static_cast<int8_t>(random());
    const auto bits = static_cast<uint128>(random()) << 64 | random();
    rows.wide[i] = static_cast<int128>(bits) >> (random() % 128);
    rows.doubles[i] = some_double(random);
  }
  for (uint8_t& byte : rows.validity) byte = static_cast<uint8_t>(random());
  return rows;
}

using Words = std::vector<uint64_t>;

/// Some aggregates, over any rows: what the device makes of their states, and what the host does.
template <class... Aggregates>
struct Case {
  struct Kernel : UpdateKernel<Aggregates...> {
    static constexpr const char* kName = "test_update";
  };

  static std::vector<Words> on_host(const Rows& rows, int32_t num_groups) {
    return {states_on_host<Aggregates>(rows, num_groups)...};
  }

  /// @param expected_groups what the device is told
  static std::vector<Words> on_device(const emulator::Schedule& schedule, const Rows& rows, int32_t num_groups,
                                      int64_t expected_groups) {
    TestDevice device(schedule);
    const uint8_t* validity = device.put(rows.validity);
    const kernels::GroupColumn columns[] = {column<Aggregates>(device, rows, validity, num_groups)...};
    const auto n = static_cast<int64_t>(rows.groups.size());
    constexpr KernelEntry kEntry = emulator::entry_of<Kernel>();
    update_groups(device.stream(), kEntry, {device.put(rows.groups), n, expected_groups, Kernel::kNumWords, columns});
    std::vector<Words> states;
    size_t next = 0;
    (states.push_back(device.get(columns[next++].states, num_groups * Aggregates::Shared::kNumWords)), ...);
    return states;
  }

 private:
  template <class Aggregate>
  static kernels::GroupColumn column(TestDevice& device, const Rows& rows, const uint8_t* validity,
                                     int32_t num_groups) {
    kernels::GroupColumn column{nullptr, Aggregate::kNullable ? validity : nullptr, nullptr};
    if constexpr (!std::is_same_v<typename Aggregate::Value, NoValue>) {
      column.values = device.put(rows.values<typename Aggregate::Value>());
    }
    column.states = device.put(Words(static_cast<size_t>(num_groups * Aggregate::Shared::kNumWords)));
    return column;
  }

  template <class Aggregate>
  static Words states_on_host(const Rows& rows, int32_t num_groups) {
    Words words(static_cast<size_t>(num_groups * Aggregate::Shared::kNumWords));
    for (size_t row = 0; row < rows.groups.size(); ++row) {
      if (rows.groups[row] < 0) continue;
      if (Aggregate::kNullable && !bits::get(rows.validity.data(), static_cast<int64_t>(row))) continue;
      const HostAccess state{words.data() + rows.groups[row] * Aggregate::Shared::kNumWords};
      if constexpr (std::is_same_v<typename Aggregate::Value, NoValue>) {
        Aggregate::update(state, NoValue{});
      } else {
        Aggregate::update(state, rows.values<typename Aggregate::Value>()[row]);
      }
    }
    return words;
  }
};

using Sums = Case<GroupAggregate<SharedState<functions::RowCount>, NoValue, false>,
                  GroupAggregate<SharedState<functions::RowCount>, NoValue, true>,
                  GroupAggregate<SharedState<functions::ExactSum>, int64, false>,
                  GroupAggregate<SharedState<functions::ExactSum>, int128, true>,
                  GroupAggregate<SharedState<functions::BinnedSum>, double, true>>;
using Others = Case<GroupAggregate<SharedState<functions::Min::State<int64>>, int64, true>,
                    GroupAggregate<SharedState<functions::Max::State<double>>, double, false>,
                    GroupAggregate<SharedState<functions::Max::State<int8>>, int8, true>,
                    GroupAggregate<SharedState<functions::BitAndAgg::State<int8>>, int8, false>,
                    GroupAggregate<SharedState<functions::BitOrAgg::State<int64>>, int64, true>,
                    GroupAggregate<SharedState<functions::BitXorAgg::State<int64>>, int64, true>>;

class UpdateGroups : public testing::TestWithParam<emulator::Schedule> {
 protected:
  static void expect_equal(const Rows& rows, int32_t num_groups, int64_t expected_groups) {
    EXPECT_EQ(Sums::on_device(GetParam(), rows, num_groups, expected_groups), Sums::on_host(rows, num_groups));
    EXPECT_EQ(Others::on_device(GetParam(), rows, num_groups, expected_groups), Others::on_host(rows, num_groups));
  }
};

TEST_P(UpdateGroups, EqualsTheHost) {
  for (const int64_t n : emulator::kTestSizes) {
    if (emulator::kTurnsAreSlow && n > 33) continue;
    SCOPED_TRACE(std::to_string(n) + " rows");
    expect_equal(some_rows(n, 6), 6, 6);
  }
}

TEST_P(UpdateGroups, TakesFewAndManyGroups) {
  const int64_t n = emulator::kTurnsAreSlow ? 100 : 2000;
  for (const int32_t num_groups : {1, 4, 31, 128, 1500}) {
    SCOPED_TRACE(std::to_string(num_groups) + " groups");
    expect_equal(some_rows(n, num_groups), num_groups, num_groups);
  }
}

TEST_P(UpdateGroups, TakesMoreGroupsThanItWasTold) {
  const Rows rows = some_rows(emulator::kTurnsAreSlow ? 100 : 2000, 50);
  expect_equal(rows, 50, 5);
  expect_equal(rows, 50, 0);
}

TEST_P(UpdateGroups, AddsToWhatIsThere) {
  using Sum = SharedState<functions::ExactSum>;
  using Kernel = Case<GroupAggregate<Sum, int64, false>>::Kernel;
  const std::vector<int32_t> groups(100, 1);
  const std::vector<int64_t> values(100, std::numeric_limits<int64_t>::min());
  TestDevice device(GetParam());
  auto* states = device.put(Words(2 * Sum::kNumWords));
  const kernels::GroupColumn column = {device.put(values), nullptr, states};
  const GroupUpdate update = {device.put(groups), 100, 2, Kernel::kNumWords, {&column, 1}};
  constexpr KernelEntry kEntry = emulator::entry_of<Kernel>();
  update_groups(device.stream(), kEntry, update);
  update_groups(device.stream(), kEntry, update);
  Words words = device.get(states, 2 * Sum::kNumWords);
  const functions::ExactSum total = Sum::read(HostAccess{words.data() + Sum::kNumWords});
  EXPECT_TRUE(total.value() == static_cast<int128>(std::numeric_limits<int64_t>::min()) * 200);
}

// What the words say: what a state says that took in the same values one after the other.

template <class S>
S state_of_words(Words& words) {
  return SharedState<S>::read(HostAccess{words.data()});
}

TEST(SharedState, SumIsExactBeyond128Bits) {
  using Sum = SharedState<functions::ExactSum>;
  const int128 greatest = static_cast<int128>(~uint128{0} >> 1);
  Words words(Sum::kNumWords);
  for (int i = 0; i < 3; ++i) Sum::update(HostAccess{words.data()}, true, greatest);
  EXPECT_FALSE(state_of_words<functions::ExactSum>(words).fits_int128());
  for (int i = 0; i < 3; ++i) Sum::update(HostAccess{words.data()}, true, -greatest);
  Sum::update(HostAccess{words.data()}, true, -5);
  EXPECT_TRUE(state_of_words<functions::ExactSum>(words).value() == -5);
  EXPECT_EQ(state_of_words<functions::ExactSum>(words).count, 7);
}

/// Compares all that a sum keeps.
void expect_same(const functions::BinnedSum& sum, const functions::BinnedSum& of_words) {
  EXPECT_EQ(std::bit_cast<uint64_t>(of_words.value()), std::bit_cast<uint64_t>(sum.value()));
  EXPECT_EQ(of_words.top, sum.top);
  EXPECT_TRUE(std::ranges::equal(of_words.bins, sum.bins));
  EXPECT_EQ(of_words.has_nan, sum.has_nan);
  EXPECT_EQ(of_words.has_positive_infinity, sum.has_positive_infinity);
  EXPECT_EQ(of_words.has_negative_infinity, sum.has_negative_infinity);
  EXPECT_EQ(of_words.count, sum.count);
}

TEST(SharedState, DoublesAreSummedAsOnTheHost) {
  using Sum = SharedState<functions::BinnedSum>;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> cases = {
      {},
      {0.0, -0.0},
      {1e300, 1.0, -1e300},
      {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()},
      {std::numeric_limits<double>::denorm_min(), -1e-310},
      {1.0, kInfinity},
      {kInfinity, -kInfinity},
      {-1.0, std::numeric_limits<double>::quiet_NaN()},
  };
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<double>& values = cases.emplace_back(1 + random() % 20);
    for (double& value : values) value = some_double(random);
  }
  for (std::vector<double>& values : cases) {
    functions::BinnedSum sum = functions::BinnedSum::init();
    for (const double value : values) sum.update(value);
    std::ranges::shuffle(values, random);
    // In two copies, which are merged.
    Words words(Sum::kNumWords);
    Words copies[] = {words, words};
    for (size_t i = 0; i < values.size(); ++i) Sum::update(HostAccess{copies[i % 2].data()}, true, values[i]);
    Sum::merge([&](int32 copy) { return HostAccess{copies[copy].data()}; }, 2, HostAccess{words.data()});
    expect_same(sum, state_of_words<functions::BinnedSum>(words));
  }
}

TEST(SharedState, ExtremesAreOfEitherSign) {
  using Least = functions::Min::State<int64>;
  using Greatest = functions::Max::State<int64>;
  Words least(2);
  Words greatest(2);
  EXPECT_FALSE(state_of_words<Least>(least).any);
  for (const int64_t value : {int64_t{3}, std::numeric_limits<int64_t>::max(), int64_t{-7}}) {
    SharedState<Least>::update(HostAccess{least.data()}, true, value);
    SharedState<Greatest>::update(HostAccess{greatest.data()}, true, value);
  }
  EXPECT_EQ(state_of_words<Least>(least).value, -7);
  EXPECT_EQ(state_of_words<Greatest>(greatest).value, std::numeric_limits<int64_t>::max());
  EXPECT_TRUE(state_of_words<Least>(least).any);
}

INSTANTIATE_TEST_SUITE_P(Orders, UpdateGroups, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
