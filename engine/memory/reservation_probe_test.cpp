#include "memory/reservation_probe.h"

#include "execution/event.h"
#include "memory/budget.h"

#include <gtest/gtest.h>

namespace accelerant::memory {
namespace {

TEST(ReservationProbeTest, OneReservationWaits) {
  const auto budget = std::make_shared<Budget>("test", 1000);
  const auto event = std::make_shared<execution::Event>();
  const ReservationProbe probe(1, event);
  const Reservation first(budget, 10);
  try {
    const Reservation second(budget, 20);
    FAIL() << "it did not wait";
  } catch (const MemoryWait& wait) {
    EXPECT_EQ(wait.event, event);
  }
  EXPECT_EQ(budget->used_bytes(), 10);
  const Reservation third(budget, 30);
  EXPECT_EQ(budget->used_bytes(), 40);
}

TEST(ReservationProbeTest, AReservationThatWaitsKeepsItsSize) {
  const auto budget = std::make_shared<Budget>("test", 1000);
  Reservation reservation(budget, 10);
  {
    const ReservationProbe probe(0, nullptr);
    reservation.resize(5);
    EXPECT_THROW(reservation.resize(20), MemoryWait);
  }
  EXPECT_EQ(reservation.bytes(), 5);
  reservation.resize(20);
  EXPECT_EQ(budget->used_bytes(), 20);
}

}  // namespace
}  // namespace accelerant::memory
