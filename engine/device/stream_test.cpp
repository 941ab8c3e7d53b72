#include "device/stream.h"

#include "base/error.h"
#include "device/device_buffer.h"
#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace accelerant::device {
namespace {

class StreamReservationTest : public testing::Test {
 protected:
  static MemoryBound bound_of(int64_t bytes) {
    MemoryBound bound;
    bound.add(bytes);
    return bound;
  }

  std::shared_ptr<memory::Budget> budget_ = std::make_shared<memory::Budget>("test budget", 10 * kAllocationUnitBytes);
  emulator::TestDevice device_{emulator::test_orders().front(), budget_};
  DeviceStream& stream_ = device_.stream();
};

TEST_F(StreamReservationTest, AllocationsAreTakenOfIt) {
  std::optional<StreamReservation> reserved(std::in_place, stream_, bound_of(1000));
  EXPECT_EQ(budget_->used_bytes(), 1024);
  {
    const DeviceBuffer buffer(stream_, 257);
    EXPECT_EQ(reserved->left_bytes(), 512);
    EXPECT_EQ(budget_->used_bytes(), 1024);
    reserved.reset();
    EXPECT_EQ(budget_->used_bytes(), 512);
  }
  stream_.synchronize();
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(StreamReservationTest, MoreIsAnErrorOfTheEmulator) {
  const StreamReservation reserved(stream_, bound_of(256));
  const DeviceBuffer buffer(stream_, 1);
  EXPECT_THROW(DeviceBuffer(stream_, 1), Error);
}

TEST_F(StreamReservationTest, NeedsRoomForAllOfIt) {
  EXPECT_THROW(StreamReservation(stream_, bound_of(2561)), Error);
  EXPECT_EQ(budget_->used_bytes(), 0);
  const DeviceBuffer buffer(stream_, 2560);
  EXPECT_EQ(budget_->used_bytes(), 2560);
}

TEST(MemoryBound, CountsWholeUnits) {
  MemoryBound bound;
  bound.add(0);
  bound.add(256);
  bound.add(100, 8);
  EXPECT_EQ(bound.bytes(), 256 + 256 + 1024);
}

}  // namespace
}  // namespace accelerant::device
