#include "runtime/prepared_query.h"

#include "base/error.h"
#include "runtime/test_queries.h"

#include <gtest/gtest.h>

namespace accelerant::runtime {
namespace {

const std::vector<uint8_t> kSplits = {1};

std::shared_ptr<const OpenedPlan> open(PreparedQuery& prepared, const std::vector<uint8_t>& splits = kSplits,
                                       const planner::PlacementOptions& placement = {}) {
  return prepared.open({}, splits, placement, 0);
}

TEST(PreparedQuery, IsOpenedOnceForAllRunsOfTheSameSplits) {
  const PreparationCounts before = preparation_counts();
  const auto prepared = PreparedQuery::make(test::Numbers(10).all(), false);
  EXPECT_TRUE(prepared->verdict().supported);
  const auto first = open(*prepared);
  EXPECT_EQ(open(*prepared), first);
  const PreparationCounts after = preparation_counts();
  EXPECT_EQ(after.bound - before.bound, 1);
  EXPECT_EQ(after.opened - before.opened, 1);
  EXPECT_GT(after.nanos, before.nanos);
  EXPECT_NE(open(*prepared, {2}), first);
}

TEST(PreparedQuery, IsOpenedAnewToRunElsewhere) {
  const auto prepared = PreparedQuery::make(test::Numbers(10).all(), false);
  const auto first = open(*prepared);
  EXPECT_NE(open(*prepared, kSplits, {execution::DeviceChoice::Cpu, false, 7}), first);
}

TEST(PreparedQuery, LetsGoOfWhatItOpenedWhereMemoryIsLacking) {
  const auto prepared = PreparedQuery::make(test::Numbers(10).all(), false);
  std::weak_ptr<const OpenedPlan> first = open(*prepared);
  EXPECT_FALSE(first.expired());
  EXPECT_THROW(memory::process_budget()->reserve(memory::Budget::kUnlimited / 2), Error);
  EXPECT_TRUE(first.expired());
  EXPECT_NE(open(*prepared), nullptr);
}

TEST(PreparedQuery, SaysWhyTheEngineLacksIt) {
  plan::SparkPlan plan;
  const auto message = plan.builder.finish(plan.builder.plan("MissingExec", {{"output", plan::SparkPlan::nodes({})}}));
  const auto prepared = PreparedQuery::make(message, false);
  EXPECT_FALSE(prepared->verdict().supported);
  EXPECT_THROW(prepared->plan(), Error);
  EXPECT_THROW(open(*prepared), Error);
}

TEST(PreparedQuery, RefusesWhatIsNoMessage) {
  EXPECT_THROW(PreparedQuery::make(std::vector<uint8_t>{1, 2, 3}, false), Error);
}

}  // namespace
}  // namespace accelerant::runtime
