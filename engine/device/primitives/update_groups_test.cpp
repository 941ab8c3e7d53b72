#include "device/primitives/update_groups.h"

#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class UpdateGroups : public testing::TestWithParam<emulator::Schedule> {};

constexpr AggregateKind kKinds[] = {AggregateKind::Count,     AggregateKind::SumInt64, AggregateKind::SumInt128,
                                    AggregateKind::SumDouble, AggregateKind::Minimum,  AggregateKind::Maximum};

/// Rows of groups, some of none, with values for each kind of aggregate.
struct Rows {
  std::vector<int32_t> groups;
  std::vector<int64_t> narrow;
  std::vector<int128> wide;
  std::vector<double> doubles;
  std::vector<uint8_t> validity;

  const void* values_for(AggregateKind kind) const {
    if (kind == AggregateKind::Count) return nullptr;
    if (kind == AggregateKind::SumDouble) return doubles.data();
    return kind == AggregateKind::SumInt128 ? static_cast<const void*>(wide.data()) : narrow.data();
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
  Rows rows = {std::vector<int32_t>(size), std::vector<int64_t>(size), std::vector<int128>(size),
               std::vector<double>(size), std::vector<uint8_t>(size / 8 + 1)};
  for (size_t i = 0; i < size; ++i) {
    rows.groups[i] = static_cast<int32_t>(random() % static_cast<uint64_t>(num_groups + 1)) - 1;
    rows.narrow[i] = static_cast<int64_t>(random()) >> (random() % 64);
    const auto bits = static_cast<uint128>(random()) << 64 | random();
    rows.wide[i] = static_cast<int128>(bits) >> (random() % 128);
    rows.doubles[i] = some_double(random);
  }
  for (uint8_t& byte : rows.validity) byte = static_cast<uint8_t>(random());
  return rows;
}

/// States of every kind of aggregate, with and without validity, after some rows.
using States = std::vector<std::vector<uint64_t>>;

States empty_states(int32_t num_groups) {
  States states;
  for (const AggregateKind kind : kKinds) {
    const auto num_words = static_cast<size_t>(num_groups * num_state_words(kind));
    states.insert(states.end(), 2, std::vector<uint64_t>(num_words));
  }
  return states;
}

States on_host(const Rows& rows, int32_t num_groups) {
  States states = empty_states(num_groups);
  std::vector<GroupAggregate> aggregates;
  for (size_t i = 0; i < states.size(); ++i) {
    const AggregateKind kind = kKinds[i / 2];
    const uint8_t* validity = i % 2 == 0 ? nullptr : rows.validity.data();
    aggregates.push_back({kind, rows.values_for(kind), validity, states[i].data()});
  }
  update_groups_on_host({rows.groups.data(), static_cast<int64_t>(rows.groups.size()), num_groups, aggregates});
  return states;
}

/// @param expected_groups what the device is told
States on_device(const emulator::Schedule& schedule, const Rows& rows, int32_t num_groups, int64_t expected_groups) {
  TestDevice device(schedule);
  const int64_t* narrow = device.put(rows.narrow);
  const int128* wide = device.put(rows.wide);
  const double* doubles = device.put(rows.doubles);
  const uint8_t* bits = device.put(rows.validity);
  States states = empty_states(num_groups);
  std::vector<GroupAggregate> aggregates;
  for (size_t i = 0; i < states.size(); ++i) {
    const AggregateKind kind = kKinds[i / 2];
    const void* values = kind == AggregateKind::SumInt128   ? static_cast<const void*>(wide)
                         : kind == AggregateKind::SumDouble ? static_cast<const void*>(doubles)
                                                            : narrow;
    aggregates.push_back({kind, values, i % 2 == 0 ? nullptr : bits, device.put(states[i])});
  }
  const auto n = static_cast<int64_t>(rows.groups.size());
  update_groups(device.stream(), {device.put(rows.groups), n, expected_groups, aggregates});
  for (size_t i = 0; i < states.size(); ++i) {
    states[i] = device.get(aggregates[i].states, static_cast<int64_t>(states[i].size()));
  }
  return states;
}

TEST_P(UpdateGroups, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    if (emulator::kTurnsAreSlow && n > 33) continue;
    const Rows rows = some_rows(n, 6);
    EXPECT_EQ(on_device(GetParam(), rows, 6, 6), on_host(rows, 6)) << n << " rows";
  }
}

TEST_P(UpdateGroups, TakesFewAndManyGroups) {
  const int64_t n = emulator::kTurnsAreSlow ? 100 : 2000;
  for (const int32_t num_groups : {1, 4, 31, 128, 1500}) {
    const Rows rows = some_rows(n, num_groups);
    EXPECT_EQ(on_device(GetParam(), rows, num_groups, num_groups), on_host(rows, num_groups))
        << num_groups << " groups";
  }
}

TEST_P(UpdateGroups, TakesMoreGroupsThanItWasTold) {
  const Rows rows = some_rows(emulator::kTurnsAreSlow ? 100 : 2000, 50);
  const States expected = on_host(rows, 50);
  EXPECT_EQ(on_device(GetParam(), rows, 50, 5), expected);
  EXPECT_EQ(on_device(GetParam(), rows, 50, 0), expected);
}

TEST_P(UpdateGroups, AddsToWhatIsThere) {
  const std::vector<int32_t> groups(100, 1);
  const std::vector<int64_t> values(100, std::numeric_limits<int64_t>::min());
  TestDevice device(GetParam());
  auto* states = device.put(std::vector<uint64_t>(8));
  const GroupAggregate sum = {AggregateKind::SumInt64, device.put(values), nullptr, states};
  const GroupUpdate update = {device.put(groups), 100, 2, {&sum, 1}};
  update_groups(device.stream(), update);
  update_groups(device.stream(), update);
  const functions::ExactSum total = exact_sum_of(device.get(states, 8).data() + 4);
  EXPECT_TRUE(total.value() == static_cast<int128>(std::numeric_limits<int64_t>::min()) * 200);
}

// What the words mean, over the reference: the tests above compare words.

TEST(GroupStates, SumIsExactBeyond128Bits) {
  const int128 greatest = static_cast<int128>(~uint128{0} >> 1);
  const std::vector<int128> values = {greatest, greatest, greatest, -greatest, -greatest, -greatest, -5};
  const std::vector<int32_t> groups(values.size(), 0);
  std::vector<uint64_t> state(4);
  const uint8_t all_valid = 0xff;
  const GroupAggregate sum = {AggregateKind::SumInt128, values.data(), &all_valid, state.data()};
  update_groups_on_host({groups.data(), 3, 1, {&sum, 1}});
  EXPECT_FALSE(exact_sum_of(state.data()).fits_int128());
  const GroupAggregate rest = {AggregateKind::SumInt128, values.data() + 3, &all_valid, state.data()};
  update_groups_on_host({groups.data(), 4, 1, {&rest, 1}});
  EXPECT_TRUE(exact_sum_of(state.data()).value() == -5);
  EXPECT_EQ(exact_sum_of(state.data()).count, 7);
}

/// Compares a sum, all that it keeps of it, with that of the words of a state.
void expect_same(const functions::BinnedSum& sum, const functions::BinnedSum& of_state) {
  EXPECT_EQ(std::bit_cast<uint64_t>(of_state.value()), std::bit_cast<uint64_t>(sum.value()));
  EXPECT_EQ(of_state.top, sum.top);
  EXPECT_TRUE(std::ranges::equal(of_state.bins, sum.bins));
  EXPECT_EQ(of_state.has_nan, sum.has_nan);
  EXPECT_EQ(of_state.has_positive_infinity, sum.has_positive_infinity);
  EXPECT_EQ(of_state.has_negative_infinity, sum.has_negative_infinity);
  EXPECT_EQ(of_state.count, sum.count);
}

TEST(GroupStates, DoublesAreSummedAsOnTheHost) {
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
  const std::vector<uint8_t> all_valid(4, 0xff);
  for (std::vector<double>& values : cases) {
    functions::BinnedSum sum = functions::BinnedSum::init();
    for (const double value : values) sum.update(value);
    std::ranges::shuffle(values, random);
    const std::vector<int32_t> groups(values.size(), 0);
    std::vector<uint64_t> state(static_cast<size_t>(num_state_words(AggregateKind::SumDouble)));
    const GroupAggregate aggregate = {AggregateKind::SumDouble, values.data(), all_valid.data(), state.data()};
    update_groups_on_host({groups.data(), static_cast<int64_t>(values.size()), 1, {&aggregate, 1}});
    expect_same(sum, binned_sum_of(state.data()));
  }
}

TEST(GroupStates, ExtremesAreOfEitherSign) {
  const std::vector<int64_t> values = {3, std::numeric_limits<int64_t>::max(), -7};
  const std::vector<int32_t> groups = {0, 0, 0};
  const uint8_t none_valid = 0;
  for (const AggregateKind kind : {AggregateKind::Minimum, AggregateKind::Maximum}) {
    std::vector<uint64_t> state(2);
    const GroupAggregate extreme = {kind, values.data(), nullptr, state.data()};
    update_groups_on_host({groups.data(), 3, 1, {&extreme, 1}});
    EXPECT_EQ(extreme_of(kind, state.data()), kind == AggregateKind::Minimum ? -7 : values[1]);
    std::vector<uint64_t> of_nulls(2);
    const GroupAggregate nulls = {kind, values.data(), &none_valid, of_nulls.data()};
    update_groups_on_host({groups.data(), 3, 1, {&nulls, 1}});
    EXPECT_FALSE(has_extreme(of_nulls.data()));
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, UpdateGroups, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
