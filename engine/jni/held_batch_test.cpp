#include "jni/held_batch.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace accelerant::jni {
namespace {

using columns::test::make_longs;

int64_t value_in(const ArrowArray& column, int64_t row) { return static_cast<const int64_t*>(column.buffers[1])[row]; }

class HeldBatchTest : public testing::Test {
 protected:
  /// Holds a batch of the columns (1, 2), (3, 4) and (5, 6).
  ArrowArray held(const std::vector<int>& shown) {
    columns::Batch batch;
    batch.num_rows = 2;
    batch.columns = {make_longs({1, 2}), make_longs({3, 4}), make_longs({5, 6})};
    for (const auto& column : batch.columns) columns_.emplace_back(column);
    ArrowArray array;
    hold_batch(std::move(batch), shown, budget_, &array);
    return array;
  }
  int num_alive() const {
    return static_cast<int>(std::ranges::count_if(columns_, [](const auto& column) { return !column.expired(); }));
  }

  const std::shared_ptr<memory::Budget> budget_ =
      std::make_shared<memory::Budget>("budget of the test", memory::Budget::kUnlimited);
  std::vector<std::weak_ptr<const columns::Column>> columns_;
};

TEST_F(HeldBatchTest, ShowsSomeColumnsAndKeepsTheOthers) {
  ArrowArray array = held({2, 0});
  EXPECT_EQ(array.length, 2);
  ASSERT_EQ(array.n_children, 2);
  EXPECT_EQ(value_in(*array.children[0], 0), 5);
  EXPECT_EQ(value_in(*array.children[1], 1), 2);
  const columns::Batch& kept = held_batch(array);
  EXPECT_EQ(kept.num_rows, 2);
  ASSERT_EQ(kept.columns.size(), 1);
  EXPECT_EQ(columns::test::show(*kept.columns[0]), (std::vector<std::string>{"3", "4"}));
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
}

TEST_F(HeldBatchTest, HasItsLengthThoughItShowsNothing) {
  ArrowArray array = held({});
  EXPECT_EQ(array.length, 2);
  EXPECT_EQ(array.n_children, 0);
  EXPECT_EQ(held_batch(array).columns.size(), 3);
  EXPECT_EQ(num_alive(), 3);
  array.release(&array);
  EXPECT_EQ(num_alive(), 0);
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(HeldBatchTest, IsExportedBesideWhatIsHeld) {
  ArrowArray array = held({0});
  ArrowArray exported;
  const std::vector<int> columns = {1, 0};
  export_held(array, columns, &exported);
  array.release(&array);
  ASSERT_EQ(exported.n_children, 2);
  EXPECT_EQ(exported.length, 2);
  EXPECT_EQ(value_in(*exported.children[0], 1), 6);
  EXPECT_EQ(value_in(*exported.children[1], 0), 3);
  exported.release(&exported);
  EXPECT_EQ(num_alive(), 0);
}

}  // namespace
}  // namespace accelerant::jni
