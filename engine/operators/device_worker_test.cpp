#include "operators/device_worker.h"

#include "codegen/emulator_compiler.h"
#include "columns/test_columns.h"
#include "device/emulator/emulator.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::operators {
namespace {

class DeviceWorkerTest : public testing::Test {
 protected:
  DeviceWorkerTest() {
    auto opened = codegen::open_emulator();
    accelerator_ = std::get<std::shared_ptr<codegen::Accelerator>>(opened);
  }

  std::unique_ptr<DeviceWorker> worker() { return std::make_unique<DeviceWorker>(accelerator_, at_work_, state_); }
  /// Returns rows that a host has decoded.
  static device::EncodedBatch rows() {
    device::EncodedBatch batch{0, 3, {}};
    batch.columns.push_back({types::DataType(types::TypeId::Long), columns::test::make_longs({1, 2, 3})});
    return batch;
  }

  std::shared_ptr<codegen::Accelerator> accelerator_;
  execution::Gate at_work_;
  execution::Gate state_;
};

TEST_F(DeviceWorkerTest, BeginsBesideOthersAndAloneWhereItWants) {
  const auto first = worker();
  const auto second = worker();
  EXPECT_EQ(first->begin(), nullptr);
  EXPECT_EQ(second->begin(), nullptr);
  first->want_alone();
  EXPECT_TRUE(first->wants_alone());
  const execution::EventPtr wait = first->begin();
  ASSERT_NE(wait, nullptr);
  second->finish();
  EXPECT_TRUE(wait->fired());
  EXPECT_EQ(first->begin(), nullptr);
  EXPECT_NE(second->begin(), nullptr);
  first->finish();
  EXPECT_FALSE(first->wants_alone());
  EXPECT_EQ(second->begin(), nullptr);
}

TEST_F(DeviceWorkerTest, TakesTheStateUntilItIsThrough) {
  const auto first = worker();
  auto second = worker();
  ASSERT_EQ(first->take_state(), nullptr);
  const execution::EventPtr wait = second->take_state();
  ASSERT_NE(wait, nullptr);
  first->finish();
  EXPECT_TRUE(wait->fired());
  EXPECT_EQ(second->take_state(), nullptr);
  const execution::EventPtr again = first->take_state();
  ASSERT_NE(again, nullptr);
  second.reset();
  EXPECT_TRUE(again->fired());
}

TEST_F(DeviceWorkerTest, DecodesARowGroupOnceUntilItIsThrough) {
  const auto own = worker();
  const auto budget = std::make_shared<memory::Budget>("budget of the test", memory::Budget::kUnlimited);
  const auto decode = [&] {
    const auto turn = accelerator_->take_turn();
    return own->decode(rows(), budget);
  };
  const device::DeviceBatch* decoded = decode();
  ASSERT_NE(decoded, nullptr);
  EXPECT_EQ(decoded->num_rows, 3);
  const auto* values = decoded->columns[0].values.get();
  EXPECT_EQ(decode()->columns[0].values.get(), values);
  own->finish();
  EXPECT_NE(decode(), nullptr);
}

}  // namespace
}  // namespace accelerant::operators
