#include "planner/device_placement.h"

#include "base/error.h"
#include "codegen/emulator_compiler.h"
#include "device/emulator/emulator.h"
#include "device/pinned_memory.h"
#include "plan/aggregate.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

namespace accelerant::planner {
namespace {

using execution::DeviceChoice;
using test::kLong;

/// A device that says of itself how fast it is.
class RatedAccelerator final : public codegen::Accelerator {
 public:
  explicit RatedAccelerator(double bytes_a_second) : bytes_a_second_(bytes_a_second) {}

  const std::string& name() const override { return name_; }
  device::Device& device() override { return device_; }
  codegen::KernelCompiler& compiler() override { return compiler_; }

 private:
  device::DeviceRates measure() override {
    if (bytes_a_second_ <= 0) throw Error(ErrorKind::Internal, "it does not answer");
    return {bytes_a_second_, bytes_a_second_, bytes_a_second_, 1e-6, 1e-6};
  }

  const std::string name_ = "a device of the test";
  const double bytes_a_second_;
  device::emulator::Emulator device_{{}};
  codegen::EmulatorCompiler compiler_;
};

/// A sum over a hundred million rows.
class DevicePlacementTest : public testing::Test {
 protected:
  DevicePlacementTest() {
    auto scan = test::scan_of(tables_, 100'000'000, {5, 100, 1000});
    scan->output = {{"a", kLong}, {"b", kLong}, {"c", kLong}};
    auto aggregate = test::above<plan::Aggregate>(scan);
    aggregate->input = test::columns({0, 1});
    aggregate->keys = {{"key", kLong}};
    aggregate->calls = {plan::aggregate_call("sum", {1}, {kLong}, kLong)};
    aggregate->plan_node = kAggregate;
    stage_ = {{{scan, {}}}, aggregate};
  }

  /// Says where the sum runs; empty: nothing is said.
  std::string place_of(DeviceChoice choice, const DevicePlacement::Opener& opener, bool has_tables = true) {
    const Stage stage = placed({choice, false, 1}, opener, has_tables);
    if (stage.notes.empty()) return "";
    EXPECT_EQ(stage.notes.size(), 1U);
    EXPECT_EQ(stage.notes.front().plan_node, kAggregate);
    EXPECT_EQ(stage.device_grouping != nullptr, stage.notes.front().text.starts_with("on a device"));
    return stage.notes.front().text;
  }

  Stage placed(const PlacementOptions& options, const DevicePlacement::Opener& opener, bool has_tables = true) const {
    Stage stage = stage_;
    DevicePlacement(options, opener).place(stage, has_tables ? &tables_ : nullptr);
    return stage;
  }

  static DevicePlacement::Opener with_rate(double bytes_a_second) {
    return [bytes_a_second] { return std::make_shared<RatedAccelerator>(bytes_a_second); };
  }
  static std::variant<std::shared_ptr<codegen::Accelerator>, codegen::Unavailable> without_device() {
    return codegen::Unavailable{"there is none"};
  }

  static constexpr int kAggregate = 7;
  static constexpr double kFast = 1e12;
  static constexpr double kSlow = 1e6;
  Tables tables_;
  Stage stage_;
};

TEST_F(DevicePlacementTest, AutoTakesWhatCostsLess) {
  const std::string there = place_of(DeviceChoice::Auto, with_rate(kFast));
  EXPECT_TRUE(there.starts_with("on a device: a device of the test, ")) << there;
  EXPECT_TRUE(there.ends_with(" ms on the host") || there.ends_with(" s on the host")) << there;
  const std::string here = place_of(DeviceChoice::Auto, with_rate(kSlow));
  EXPECT_TRUE(here.starts_with("on the host: ")) << here;
  EXPECT_TRUE(here.ends_with(" s on a device of the test")) << here;
}

TEST_F(DevicePlacementTest, AutoSaysNothingWithoutADevice) {
  EXPECT_EQ(place_of(DeviceChoice::Auto, without_device), "");
  EXPECT_EQ(place_of(DeviceChoice::Cpu, with_rate(kFast)), "");
}

TEST_F(DevicePlacementTest, WhoAsksForADeviceGetsItOrTheReason) {
  const std::string there = place_of(DeviceChoice::Gpu, with_rate(kSlow));
  EXPECT_TRUE(there.starts_with("on a device: a device of the test, ")) << there;
  EXPECT_EQ(place_of(DeviceChoice::Gpu, with_rate(kSlow), false), "on a device: a device of the test");
  EXPECT_EQ(place_of(DeviceChoice::Gpu, without_device), "on the host: there is none");
}

TEST_F(DevicePlacementTest, ADeviceThatFailedIsNotTakenAgain) {
  const auto device = std::make_shared<RatedAccelerator>(kFast);
  device->give_up("it fell off the bus");
  const auto opener = [&] { return device; };
  EXPECT_EQ(place_of(DeviceChoice::Gpu, opener), "on the host: it was given up: it fell off the bus");
  EXPECT_EQ(place_of(DeviceChoice::Auto, opener), "");
}

TEST_F(DevicePlacementTest, WhatWasPinnedForADeviceThatFailedIsGivenBack) {
  RatedAccelerator device(kFast);
  const auto pinned = device.device().pinned_memory();
  static_cast<void>(pinned->allocate(1000, memory::process_budget()));
  EXPECT_GT(pinned->pinned_bytes(), 1000);
  device.give_up("it fell off the bus");
  EXPECT_EQ(pinned->pinned_bytes(), 0);
}

TEST_F(DevicePlacementTest, ADeviceThatCannotBeMeasuredIsNotTaken) {
  EXPECT_EQ(place_of(DeviceChoice::Gpu, with_rate(0)), "on the host: it was given up: it does not answer");
  EXPECT_EQ(place_of(DeviceChoice::Auto, with_rate(0)), "");
}

TEST_F(DevicePlacementTest, AStrictQueryFailsWithTheReason) {
  EXPECT_EQ(placed({DeviceChoice::Gpu, true, 1}, without_device).refusal, "there is none");
  EXPECT_FALSE(placed({DeviceChoice::Gpu, false, 1}, without_device).refusal);
  EXPECT_FALSE(placed({DeviceChoice::Gpu, true, 1}, with_rate(kSlow)).refusal);
}

TEST_F(DevicePlacementTest, FilesWithoutPagesStayWithTheHost) {
  tables_[0] = std::make_shared<test::DescribedTable>(1000, std::vector<double>{5, 100, 1000}, 0, false);
  EXPECT_EQ(place_of(DeviceChoice::Gpu, with_rate(kFast)), "on the host: its files have no pages that a device reads");
}

}  // namespace
}  // namespace accelerant::planner
