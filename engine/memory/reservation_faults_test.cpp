#include "memory/reservation_faults.h"

#include "base/error.h"
#include "memory/budget.h"

#include <gtest/gtest.h>

namespace accelerant::memory {
namespace {

class ReservationFaultsTest : public testing::Test {
 protected:
  [[gnu::noinline]] void reserve(int times) {
    for (int i = 0; i < times; ++i) {
      budget_.reserve(1);
      budget_.release(1);
    }
  }
  /// Returns the number of the only site of a name.
  static uint64_t only_site(const ReservationFaults::Sites& sites, const std::string& budget) {
    uint64_t number = 0;
    int found = 0;
    for (const auto& [id, site] : sites) {
      if (site.budget != budget) continue;
      number = id;
      ++found;
    }
    EXPECT_EQ(found, 1);
    return number;
  }

  Budget budget_{"one", 100};
};

TEST_F(ReservationFaultsTest, CountsByPlace) {
  const ReservationFaults faults({});
  reserve(6);
  EXPECT_TRUE(Budget("unlimited", Budget::kUnlimited).try_reserve(1));
  EXPECT_TRUE(Budget("other", 100).try_reserve(1));
  const auto sites = faults.sites();
  EXPECT_EQ(sites.at(only_site(sites, "other")).num_calls, 1);
  EXPECT_EQ(sites.at(only_site(sites, "one")).num_calls, 6);
  EXPECT_EQ(sites.size(), 2);
  EXPECT_EQ(faults.num_struck(), 0);
}

TEST_F(ReservationFaultsTest, FailsTheChosenCall) {
  uint64_t site = 0;
  const auto run = [&](const ReservationFaults& faults) {
    try {
      reserve(3);
    } catch (const Error& error) {
      EXPECT_EQ(error.error_class(), kOutOfBudget);
    }
    site = only_site(faults.sites(), "one");
    return faults.sites().at(site).num_calls;
  };
  for (const int64_t call : {int64_t{-1}, int64_t{0}, int64_t{2}, int64_t{3}}) {
    const ReservationFaults faults({{site, call}});
    const bool comes = call >= 0 && call < 3;
    EXPECT_EQ(run(faults), comes ? call + 1 : 3);
    EXPECT_EQ(faults.num_struck(), comes ? 1 : 0);
    EXPECT_EQ(budget_.used_bytes(), 0);
  }
  reserve(3);
}

}  // namespace
}  // namespace accelerant::memory
