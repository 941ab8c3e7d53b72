#include "spill/mapped_memory.h"

#include "base/error.h"
#include "spill/test_file_system.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <vector>

namespace accelerant::spill {
namespace {

using test::FakeFileSystem;

constexpr int64_t kMib = 1 << 20;

std::string failure_of(MappedMemory& memory, int64_t bytes) {
  try {
    memory.allocate(bytes, "Window (plan node 2)");
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), memory::kOutOfBudget);
    return error.message();
  }
  return "nothing";
}

TEST(MappedMemory, KeepsWhatIsWrittenToIt) {
  SpillFolders folders({.folders = {std::filesystem::temp_directory_path()}});
  MappedMemory memory(folders);
  std::vector<std::shared_ptr<uint8_t>> pieces;
  for (int64_t bytes = 1; bytes < 8 * kMib; bytes = bytes * 3 + 1) {
    pieces.push_back(memory.allocate(bytes, "Window"));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pieces.back().get()) % 64, 0);
    std::memset(pieces.back().get(), static_cast<int>(pieces.size()), static_cast<size_t>(bytes));
  }
  EXPECT_GT(folders.used_bytes(), 8 * kMib);
  for (size_t i = 0; i < pieces.size(); ++i) EXPECT_EQ(*pieces[i], i + 1);
  pieces.clear();
  EXPECT_EQ(folders.used_bytes(), 0);
}

TEST(MappedMemory, HasSmallPiecesShareAFile) {
  FakeFileSystem system;
  SpillFolders folders({.folders = {"/a"}}, system);
  MappedMemory memory(folders);
  auto first = memory.allocate(1000, "Window");
  auto second = memory.allocate(1000, "Window");
  EXPECT_EQ(system.num_opened, 1);
  EXPECT_EQ(second.get() - first.get(), 1024);
  const auto large = memory.allocate(3 * kMib, "Window");
  EXPECT_EQ(system.num_opened, 2);
  const int64_t of_both = folders.used_bytes();
  first.reset();
  EXPECT_EQ(folders.used_bytes(), of_both);
  second.reset();
  EXPECT_EQ(folders.used_bytes(), 3 * kMib);
}

TEST(MappedMemory, GoesToAnotherFolderWhereOneIsFull) {
  FakeFileSystem system;
  system.folders["/a"].room_bytes = 10;
  SpillFolders folders({.folders = {"/a", "/b"}}, system);
  MappedMemory memory(folders);
  EXPECT_TRUE(memory.allocate(kMib, "Window"));
  system.folders["/b"].room_bytes = 10;
  const std::string failure = failure_of(memory, kMib);
  EXPECT_NE(failure.find("Window (plan node 2) has to spill and can't: /a: No space left"), std::string::npos)
      << failure;
  EXPECT_NE(failure.find("/b: No space left"), std::string::npos) << failure;
  EXPECT_EQ(folders.used_bytes(), 0);
}

TEST(MappedMemory, KeepsToTheLimitOfSpillFiles) {
  FakeFileSystem system;
  SpillFolders folders({.folders = {"/a"}, .limit_bytes = 5 * kMib}, system);
  MappedMemory memory(folders);
  const auto first = memory.allocate(4 * kMib, "Window");
  EXPECT_NE(failure_of(memory, 2 * kMib).find("spark.accelerant.spill.limit"), std::string::npos);
  EXPECT_EQ(folders.used_bytes(), 4 * kMib);
}

TEST(MappedMemory, IsNoneWhereFilesAreEncrypted) {
  FakeFileSystem system;
  SpillFolders folders({.folders = {"/a"}, .encrypted = true}, system);
  MappedMemory memory(folders);
  EXPECT_NE(failure_of(memory, kMib).find("memory in files can't be encrypted, as spark.io.encryption.enabled asks"),
            std::string::npos);
}

}  // namespace
}  // namespace accelerant::spill
