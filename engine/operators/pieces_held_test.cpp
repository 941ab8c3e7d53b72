#include "operators/pieces_held.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

class PiecesHeldTest : public testing::Test {
 protected:
  std::unique_ptr<PiecesHeld::Hold> begin(const State& worker, int64_t morsel) {
    others_ = nullptr;
    return held_.begin(worker, morsel, others_);
  }

  PiecesHeld held_{false};
  State first_;
  State second_;
  State third_;
  execution::EventPtr others_;
};

TEST_F(PiecesHeldTest, WorkersHoldPiecesBesideEachOther) {
  const auto one = begin(first_, 0);
  const auto other = begin(second_, 1);
  EXPECT_NE(one, nullptr);
  EXPECT_NE(other, nullptr);
  EXPECT_EQ(others_, nullptr);
}

TEST_F(PiecesHeldTest, OneThatIsToBeAloneWaitsForTheOthersAndNobodyBeginsMeanwhile) {
  auto hold = begin(first_, 0);
  EXPECT_TRUE(held_.want_alone(second_, 1));
  EXPECT_EQ(begin(third_, 2), nullptr);
  EXPECT_EQ(begin(second_, 1), nullptr);
  const execution::EventPtr waiting = others_;
  ASSERT_NE(waiting, nullptr);
  EXPECT_FALSE(waiting->fired());
  hold.reset();
  EXPECT_TRUE(waiting->fired());
  hold = begin(second_, 1);
  EXPECT_NE(hold, nullptr);
  EXPECT_EQ(begin(third_, 2), nullptr);
  const execution::EventPtr loading = others_;
  held_.end_alone(second_);
  EXPECT_TRUE(loading->fired());
  EXPECT_NE(begin(third_, 2), nullptr);
}

TEST_F(PiecesHeldTest, OneThatWasAloneCantBeMoreSo) {
  EXPECT_TRUE(held_.want_alone(first_, 0));
  EXPECT_FALSE(held_.want_alone(first_, 0));
  held_.end_alone(second_);
  EXPECT_FALSE(held_.want_alone(first_, 0));
  held_.end_alone(first_);
  EXPECT_TRUE(held_.want_alone(first_, 0));
}

TEST_F(PiecesHeldTest, WhereRowsKeepTheirOrderNobodyWaitsForPiecesOfLaterMorsels) {
  PiecesHeld held(true);
  const auto hold = held.begin(first_, 5, others_);
  EXPECT_FALSE(held.want_alone(second_, 3));
  EXPECT_TRUE(held.want_alone(second_, 7));
}

}  // namespace
}  // namespace accelerant::operators
