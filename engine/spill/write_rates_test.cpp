#include "spill/write_rates.h"

#include <gtest/gtest.h>

namespace accelerant::spill {
namespace {

/// Returns how many of 640 blocks are compressed.
int num_compressed(WriteRates& rates) {
  int count = 0;
  for (int i = 0; i < 640; ++i) count += rates.compresses_next();
  return count;
}

TEST(WriteRates, CompressForSlowDisksAndTryItAgainNowAndThenForFastOnes) {
  WriteRates rates;
  EXPECT_TRUE(rates.compresses_next());
  EXPECT_FALSE(rates.compresses_next());  // as long as nothing is known
  rates.note_write(1000, 10'000);
  rates.note_compression(1000, 400, 2000);
  EXPECT_EQ(num_compressed(rates), 640);
  for (int i = 0; i < 100; ++i) rates.note_write(1000, 500);
  EXPECT_EQ(num_compressed(rates), 10);
  for (int i = 0; i < 100; ++i) rates.note_write(1000, 10'000);
  EXPECT_EQ(num_compressed(rates), 640);
  for (int i = 0; i < 100; ++i) rates.note_compression(1000, 1000, 2000);
  EXPECT_EQ(num_compressed(rates), 10);
}

}  // namespace
}  // namespace accelerant::spill
