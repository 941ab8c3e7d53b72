#include "memory/machine_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace accelerant::memory {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

TEST(MachineMemory, LeavesRoomBesideAHeap) {
  EXPECT_EQ(default_limit_bytes(10 * kGiB, 0), 6 * kGiB);
  EXPECT_EQ(default_limit_bytes(10 * kGiB, kGiB), 6 * kGiB);
  EXPECT_EQ(default_limit_bytes(10 * kGiB, 5 * kGiB), 4 * kGiB);
  EXPECT_EQ(default_limit_bytes(10 * kGiB, 9 * kGiB), kGiB);
  EXPECT_EQ(default_limit_bytes(10 * kGiB, INT64_MAX), kGiB);
}

TEST(MachineMemory, ReadsTheLowestLimitOfControlGroups) {
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "machine_memory_test";
  const auto write = [&](const std::string& file, const std::string& text) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text << "\n";
  };
  write("memory.max", "max");
  write("outer/memory.max", "3000");
  write("outer/inner/memory.max", "4000");
  write("memory/memory.limit_in_bytes", "9223372036854771712");
  write("memory/old/memory.limit_in_bytes", "2000");
  const auto limit = [&](const std::string& groups) { return cgroup_limit_bytes(groups, root.string()); };
  EXPECT_EQ(limit("0::/outer/inner\n"), 3000);
  EXPECT_EQ(limit("0::/\n"), INT64_MAX);
  EXPECT_EQ(limit("4:memory:/old\n1:cpu:/outer\n0::/outer\n"), 2000);
  EXPECT_EQ(limit("0::/not/there\n"), INT64_MAX);
  EXPECT_EQ(limit("nonsense\n0::relative\n"), INT64_MAX);
  EXPECT_EQ(limit("4:cpuset,memory:/old\n"), 2000);
  write("memory/memory.limit_in_bytes", "1000");
  EXPECT_EQ(limit(""), 1000);
}

TEST(MachineMemory, IsThere) { EXPECT_GT(machine_memory_bytes(), 0); }

}  // namespace
}  // namespace accelerant::memory
