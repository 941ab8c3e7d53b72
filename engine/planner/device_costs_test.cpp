#include "planner/device_costs.h"

#include "device/emulator/emulator.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

/// About what a large GPU on a fast link has, and a core of the host.
const device::DeviceRates kGpu{20e9, 20e9, 3e12, 3e-6, 10e-6};
const HostRates kHost{0.35e-9};

/// Like TPC-H's Q1: a row group of a million rows by seven columns, of which nearly all are kept.
PipelineWork q1(double row_groups) {
  PipelineWork work;
  work.row_groups = row_groups;
  work.rows = 1e6 * row_groups;
  work.kept_rows = 0.98e6 * row_groups;
  work.num_columns = 7;
  work.stored_bytes = 10.6e6 * row_groups;
  work.decoded_bytes = 44e6 * row_groups;
  work.instructions = 12;
  work.num_keys = 2;
  work.num_groups = 6;
  work.num_calls = 8;
  return work;
}

TEST(DeviceCosts, LargePipelinesPayOnAGpu) {
  const PlacementCosts costs = costs_of(q1(60), kGpu, kHost, 16);
  EXPECT_TRUE(costs.is_faster_on_device());
  // The bytes over the link at least.
  EXPECT_GT(costs.device_seconds, 60 * 10.6e6 / 20e9);
}

TEST(DeviceCosts, FewRowsDoNot) {
  PipelineWork work = q1(1);
  work.rows = work.kept_rows = 100;
  work.stored_bytes = 2000;
  work.decoded_bytes = 4400;
  EXPECT_FALSE(costs_of(work, kGpu, kHost, 16).is_faster_on_device());
}

TEST(DeviceCosts, RowsThatComeHomePassTheLinkTwice) {
  PipelineWork work = q1(60);
  work.num_keys = work.num_calls = 0;
  const double without = costs_of(work, kGpu, kHost, 16).device_seconds;
  work.num_made = 7;
  work.made_bytes = work.decoded_bytes;
  EXPECT_GT(costs_of(work, kGpu, kHost, 16).device_seconds, without + work.made_bytes / kGpu.download_bytes);
}

TEST(DeviceCosts, ThreadsOfTheHostHelpAsFarAsThereAreRowGroups) {
  const double one = costs_of(q1(4), kGpu, kHost, 1).host_seconds;
  EXPECT_DOUBLE_EQ(costs_of(q1(4), kGpu, kHost, 2).host_seconds, one / 2);
  EXPECT_DOUBLE_EQ(costs_of(q1(4), kGpu, kHost, 16).host_seconds, one / 4);
}

TEST(DeviceCosts, ManyGroupsAreSlowOnTheHost) {
  PipelineWork work = q1(4);
  const double few = costs_of(work, kGpu, kHost, 1).host_seconds;
  work.num_groups = 1e6;
  EXPECT_GT(costs_of(work, kGpu, kHost, 1).host_seconds, 2 * few);
}

TEST(DeviceCosts, MachinesAreMeasured) {
  EXPECT_GT(host_rates().value_seconds, 1e-12);
  EXPECT_LT(host_rates().value_seconds, 1e-5);
  device::emulator::Emulator emulator({});
  const device::DeviceRates rates = device::measure_rates(emulator);
  for (const double rate : {rates.upload_bytes, rates.download_bytes, rates.memory_bytes}) EXPECT_GT(rate, 1e3);
  for (const double seconds : {rates.launch_seconds, rates.wait_seconds}) EXPECT_GT(seconds, 0);
}

TEST(DeviceCosts, TimesAreShownForPeople) {
  EXPECT_EQ(show_seconds(0.00042), "0.42 ms");
  EXPECT_EQ(show_seconds(0.034), "34 ms");
  EXPECT_EQ(show_seconds(0.34), "340 ms");
  EXPECT_EQ(show_seconds(2.44), "2.4 s");
  EXPECT_EQ(show_seconds(234.4), "234 s");
}

}  // namespace
}  // namespace accelerant::planner
