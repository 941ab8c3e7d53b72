#include "device/device_batch.h"

#include "columns/test_columns.h"
#include "device/emulator/failing_stream.h"
#include "device/emulator/test_orders.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

#include <numeric>

namespace accelerant::device {
namespace {

using columns::ColumnPtr;
using columns::test::show;
using types::PhysicalType;

constexpr int64_t kUnlimited = memory::Budget::kUnlimited;

/// A stream of an emulated device, and a budget.
struct Place {
  emulator::Emulator device{emulator::test_orders().back()};
  std::shared_ptr<memory::Budget> budget = std::make_shared<memory::Budget>("test", kUnlimited);
  std::unique_ptr<DeviceStream> stream = device.create_stream(budget);

  DeviceBatch upload_to(DeviceStream& to, const columns::Batch& batch) const {
    std::vector<int> positions(batch.columns.size());
    std::iota(positions.begin(), positions.end(), 0);
    return upload(to, batch, positions, budget);
  }
};

bool has_layout(PhysicalType physical) { return physical != PhysicalType::Null && physical <= PhysicalType::String; }

/// Returns columns of all types that devices have, in every encoding.
std::vector<columns::test::Sample> samples(int num_rows) {
  std::vector<columns::test::Sample> all = columns::test::samples(num_rows);
  std::erase_if(all, [](const columns::test::Sample& sample) { return !has_layout(sample.column->physical()); });
  return all;
}

columns::Batch batch_of(const ColumnPtr& column) { return {column->length(), {column}, nullptr, {}}; }

TEST(DeviceBatch, ComesBackAsItWas) {
  for (const int num_rows : {1, 33, 70}) {
    for (const auto& [name, column] : samples(num_rows)) {
      SCOPED_TRACE(name);
      const Place place;
      const DeviceBatch there = place.upload_to(*place.stream, batch_of(column));
      EXPECT_EQ(there.columns[0].physical, column->type().physical());
      const columns::Batch back = download(*place.stream, there, place.budget);
      ASSERT_EQ(back.num_rows, num_rows);
      EXPECT_EQ(show(*back.columns[0]), show(*column));
    }
  }
}

TEST(DeviceBatch, ComesBackThoughItHasToWaitForMemory) {
  for (const auto& [name, column] : samples(33)) {
    SCOPED_TRACE(name);
    const Place place;
    const DeviceBatch there = place.upload_to(*place.stream, batch_of(column));
    const auto read = [&] { return download(*place.stream, there, place.budget); };
    EXPECT_EQ(show(*operators::test::insist(read).columns[0]), show(*column));
  }
}

TEST(DeviceBatch, AllocatesWhatItReserved) {
  for (const int num_rows : {1, 70, 3000}) {
    for (const auto& [name, column] : samples(num_rows)) {
      SCOPED_TRACE(name);
      Place place;
      const columns::Batch batch = batch_of(column);
      const int position = 0;
      const auto stream = place.device.create_stream(place.budget);
      const MemoryBound bound = upload_bound(batch, {&position, 1});
      int64_t allocated = 0;
      {
        const StreamReservation reserved(*stream, bound);  // of which more is an error
        EXPECT_EQ(place.budget->used_bytes(), bound.bytes());
        const auto host = std::make_shared<memory::Budget>("host", kUnlimited);
        const DeviceBatch there = upload(*stream, batch, {&position, 1}, host);
        stream->synchronize();
        allocated = bound.bytes() - reserved.left_bytes();
      }
      EXPECT_LE(bound.bytes(), allocated + bitmap_bytes(num_rows) + kAllocationUnitBytes);
    }
  }
}

TEST(DeviceBatch, MayHaveNoRows) {
  const Place place;
  for (const auto& [name, column] : samples(3)) {
    SCOPED_TRACE(name);
    const DeviceBatch there = place.upload_to(*place.stream, batch_of(column->slice(1, 0)));
    const columns::Batch back = download(*place.stream, there, place.budget);
    EXPECT_EQ(back.num_rows, 0);
    EXPECT_EQ(back.columns[0]->length(), 0);
  }
}

TEST(DeviceBatch, LeavesColumnsThatNobodyReads) {
  const Place place;
  columns::Batch batch = batch_of(columns::test::make_longs({1, std::nullopt, 3}));
  batch.columns.push_back(columns::test::make_array(columns::test::make_longs({1, 2, 3}), {1, 1, 1}));
  const int position = 0;
  const DeviceBatch there = upload(*place.stream, batch, {&position, 1}, place.budget);
  ASSERT_EQ(there.columns.size(), 2u);
  EXPECT_EQ(there.columns[1].values, nullptr);
  const columns::Batch back = download(*place.stream, there, place.budget);
  EXPECT_EQ(show(*back.columns[0]), (std::vector<std::string>{"1", "null", "3"}));
}

TEST(DeviceBatch, RefusesNestedTypes) {
  const Place place;
  const auto lists = columns::test::make_array(columns::test::make_longs({1, 2, 3}), {2, 1});
  EXPECT_THROW(place.upload_to(*place.stream, batch_of(lists)), Error);
  EXPECT_EQ(place.budget->used_bytes(), 0);
}

TEST(DeviceBatch, GivesMemoryBackWhereThereIsTooLittle) {
  for (const auto& [name, column] : samples(33)) {
    bool has_failed = true;
    for (int64_t num_good = 0; has_failed; ++num_good) {
      SCOPED_TRACE(name + ", " + std::to_string(num_good) + " good allocations");
      const Place place;
      emulator::FailingStream stream(*place.stream, num_good);
      try {
        const DeviceBatch there = place.upload_to(stream, batch_of(column));
        EXPECT_FALSE(stream.has_failed());
        stream.synchronize();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Resource);
      }
      has_failed = stream.has_failed();
      place.stream->synchronize();
      EXPECT_EQ(place.budget->used_bytes(), 0);
    }
  }
}

}  // namespace
}  // namespace accelerant::device
