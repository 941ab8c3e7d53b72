// Feeds mutated messages to what libFuzzer would run (tests/fuzz/plan_message_fuzz.cpp). Whatever comes of a message,
// it must be a result or an Error.
#include "../tests/fuzz/plan_message_fuzz.h"

#include "plan/test_plans.h"
#include "planner/judge_query.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::plan {
namespace {

constexpr int kMutations = 3000;

void mutate(std::vector<uint8_t>& bytes, std::mt19937& random) {
  const auto position = [&] { return static_cast<int64_t>(random() % bytes.size()); };
  switch (random() % 4) {
    case 0:
      bytes[static_cast<size_t>(position())] ^= static_cast<uint8_t>(1u << (random() % 8));
      break;
    case 1:
      bytes[static_cast<size_t>(position())] = static_cast<uint8_t>(random());
      break;
    case 2:
      bytes.insert(bytes.begin() + position(), static_cast<uint8_t>(random()));
      break;
    default:
      bytes.erase(bytes.begin() + position());
      break;
  }
}

/// Rewrites what can be bound of a message.
void rewrite(const std::vector<uint8_t>& bytes) {
  try {
    planner::judge_query(decode_plan(bytes));
  } catch (const Error&) {
  }
}

void feed_mutations(const std::vector<uint8_t>& seed) {
  std::mt19937 random(4711);
  for (int i = 0; i < kMutations; ++i) {
    std::vector<uint8_t> bytes = seed;
    for (uint32_t n = 1 + random() % 3; n > 0 && !bytes.empty(); --n) mutate(bytes, random);
    fuzz::feed_messages(bytes);
    rewrite(bytes);
  }
}

TEST(PlanMessageFuzz, SurvivesMutationsOfQ1) { feed_mutations(tpch_q1()); }
TEST(PlanMessageFuzz, SurvivesMutationsOfQ6) { feed_mutations(tpch_q6()); }

TEST(PlanMessageFuzz, SurvivesEveryFlippedBit) {
  const std::vector<uint8_t> seed = tpch_q6();
  for (size_t i = 0; i < seed.size() * 8; ++i) {
    std::vector<uint8_t> bytes = seed;
    bytes[i / 8] ^= static_cast<uint8_t>(1u << (i % 8));
    fuzz::feed_messages(bytes);
    rewrite(bytes);
  }
}

TEST(PlanMessageFuzz, SurvivesEveryTruncation) {
  const std::vector<uint8_t> seed = tpch_q6();
  for (size_t size = 0; size < seed.size(); ++size) fuzz::feed_messages({seed.data(), size});
}

}  // namespace
}  // namespace accelerant::plan
