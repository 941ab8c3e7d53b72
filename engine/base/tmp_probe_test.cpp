#include <gtest/gtest.h>
namespace accelerant { const char* probe();
TEST(Probe, Version) { EXPECT_STREQ(probe(), "0.1.0"); } 
void make_table(); TEST(Probe, Arrow) { make_table(); } }
