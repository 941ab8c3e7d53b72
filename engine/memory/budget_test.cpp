#include "memory/budget.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace accelerant::memory {
namespace {

std::string message_of(Budget& budget, int64_t bytes) {
  try {
    budget.reserve(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    return error.message();
  }
  return "";
}

TEST(Budget, NamesTheOneThatIsExhaustedAndItsRemedy) {
  const auto process = std::make_shared<Budget>("process budget", 2048, nullptr, "raise the application's");
  const auto query = std::make_shared<Budget>("query budget", 1024, process, "raise the session's");
  Budget sort("Sort", Budget::kUnlimited, query);
  EXPECT_EQ(message_of(sort, 512), "");
  EXPECT_EQ(message_of(sort, 1024),
            "out of memory: Sort needs 1.0 KiB more, but the query budget of 1.0 KiB has 512 B in use; "
            "raise the session's");
  query->set_limit_bytes(Budget::kUnlimited);
  EXPECT_EQ(message_of(sort, 4096),
            "out of memory: Sort needs 4.0 KiB more, but the process budget of 2.0 KiB has 512 B in use; "
            "raise the application's");
  EXPECT_EQ(process->used_bytes(), 512);
}

TEST(Budget, AsksReclaimersBeforeItFails) {
  struct Reclaimer final : MemoryReclaimer {
    void reclaim() noexcept override { kept = {}; }
    Reservation kept;
  };
  const auto process = std::make_shared<Budget>("process", 1000);
  const auto query = std::make_shared<Budget>("query", 900, process);
  auto reclaimer = std::make_shared<Reclaimer>();
  reclaimer->kept = Reservation(process, 300);
  process->add_reclaimer(reclaimer);
  EXPECT_THROW(query->reserve(901), Error);
  EXPECT_EQ(reclaimer->kept.bytes(), 300) << "another budget is exhausted";
  query->reserve(800);
  EXPECT_EQ(reclaimer->kept.bytes(), 0);
  EXPECT_EQ(process->used_bytes(), 800);
  reclaimer.reset();
  EXPECT_THROW(process->reserve(201), Error);
  query->release(800);
}

TEST(Budget, AsksReclaimersOfItsChildren) {
  struct Reclaimer final : MemoryReclaimer {
    void reclaim() noexcept override { kept = {}; }
    Reservation kept;
  };
  const auto process = std::make_shared<Budget>("process", 1000);
  const auto query = std::make_shared<Budget>("query", Budget::kUnlimited, process);
  const auto other = std::make_shared<Budget>("other", Budget::kUnlimited, process);
  const auto reclaimer = std::make_shared<Reclaimer>();
  reclaimer->kept = Reservation(query, 300);
  query->add_reclaimer(reclaimer);
  const Reservation wanted(other, 800);
  EXPECT_EQ(reclaimer->kept.bytes(), 0);
}

TEST(Reservation, IsSplitWithoutAskingAgain) {
  const auto budget = std::make_shared<Budget>("budget", 1000);
  Reservation whole(budget, 1000);
  {
    const Reservation part = whole.split(400);
    EXPECT_EQ(whole.bytes(), 600);
    EXPECT_EQ(part.bytes(), 400);
    EXPECT_EQ(budget->used_bytes(), 1000);
  }
  EXPECT_EQ(budget->used_bytes(), 600);
}

}  // namespace
}  // namespace accelerant::memory
