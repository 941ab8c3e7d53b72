#include "spill/spill_file.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "spill/spill_folders.h"
#include "spill/test_file_system.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

namespace accelerant::spill {
namespace {

using memory::Buffer;
using test::FakeFileSystem;

std::shared_ptr<Buffer> block_of(int64_t num_bytes, uint8_t first) {
  auto block = Buffer::allocate(num_bytes, columns::test::unlimited());
  std::iota(block->mutable_data(), block->mutable_data() + num_bytes, first);
  return block;
}

std::span<const uint8_t> bytes_of(const Buffer& block) {
  return {block.data(), static_cast<size_t>(block.size_bytes())};
}

/// Returns what an operation fails with.
template <class Call>
std::string failure_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    return error.message();
  }
  return "nothing";
}

/// Writes two blocks, and reads both.
void write_and_read(SpillFolders& folders, IoThreads& threads) {
  const auto file = folders.create("Sort");
  std::string failure;
  const auto first = BlockWrite::start(file, {block_of(1000, 1), {}}, nullptr, threads)->wait(failure);
  const auto second = file->append({bytes_of(*block_of(77, 9)), {}}, {}, failure);
  ASSERT_TRUE(first && second) << failure;
  EXPECT_EQ(folders.used_bytes(), 1077);
  const auto read = BlockRead::start({{file, *first}}, columns::test::unlimited(), threads);
  execution::wait_for(read->done());
  EXPECT_TRUE(std::ranges::equal(bytes_of(*read->get()), bytes_of(*block_of(1000, 1))));
  const auto again = block_of(77, 0);
  file->read(*second, again->mutable_data(), nullptr);
  EXPECT_TRUE(std::ranges::equal(bytes_of(*again), bytes_of(*block_of(77, 9))));
}

TEST(SpillFile, GivesBackWhatWasWritten) {
  FakeFileSystem system;
  IoThreads threads(2);
  SpillFolders folders({.folders = {"/a"}}, system);
  for (const int64_t most : {int64_t{1}, int64_t{64}, INT64_MAX}) {
    system.folders["/a"].most_bytes = most;
    write_and_read(folders, threads);
    EXPECT_EQ(folders.used_bytes(), 0);
    EXPECT_EQ(system.num_open, 0);
  }
}

TEST(SpillFile, HasNoNameInItsFolder) {
  const std::string folder = testing::TempDir() + "spill_file_test";
  std::filesystem::create_directories(folder);
  IoThreads threads(1);
  SpillFolders folders({.folders = {folder}});
  const auto file = folders.create("Sort");
  std::string failure;
  EXPECT_TRUE(file->append({bytes_of(*block_of(100, 1)), {}}, {}, failure)) << failure;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  write_and_read(*std::make_unique<SpillFolders>(SpillSettings{.folders = {folder}}), threads);
}

TEST(SpillFile, NamesItsFolderAndItsOwnerWhereBytesChanged) {
  FakeFileSystem system;
  SpillFolders folders({.folders = {"/a"}}, system);
  const auto file = folders.create("Sort (plan node 3)");
  std::string failure;
  const auto place = file->append({bytes_of(*block_of(1000, 1)), {}}, {}, failure);
  const auto to = block_of(1000, 0);
  system.folders["/a"].flipped_byte = 700;
  const std::string flipped = failure_of([&] { file->read(*place, to->mutable_data(), nullptr); });
  EXPECT_TRUE(flipped.starts_with("Sort (plan node 3) can't read its spill file in /a at byte 0: its bytes are not"));
  system.folders["/a"].forgets_end = true;
  IoThreads threads(1);
  const auto read = BlockRead::start({{file, *place}}, columns::test::unlimited(), threads);
  execution::wait_for(read->done());
  EXPECT_TRUE(failure_of([&] { read->get(); }).ends_with("the file ends there"));
}

TEST(SpillFile, CompressesWhereItPays) {
  FakeFileSystem system;
  IoThreads threads(1);
  SpillFolders folders({.folders = {"/a"}}, system);
  const auto file = folders.create("Sort");
  std::string failure;
  // The first one is to see how it does.
  const auto place = BlockWrite::start(file, {block_of(10'000, 1), {}}, block_of(10'000, 0), threads)->wait(failure);
  ASSERT_TRUE(place) << failure;
  EXPECT_LT(place->stored_bytes, 1000);
  EXPECT_EQ(folders.used_bytes(), place->stored_bytes);
  const auto read = BlockRead::start({{file, *place}}, columns::test::unlimited(), threads);
  execution::wait_for(read->done());
  EXPECT_TRUE(std::ranges::equal(bytes_of(*read->get()), bytes_of(*block_of(10'000, 1))));
}

TEST(SpillFile, PacksNumbers) {
  FakeFileSystem system;
  IoThreads threads(1);
  SpillFolders folders({.folders = {"/a"}}, system);
  const auto file = folders.create("Sort");
  auto numbers = Buffer::allocate(8000, columns::test::unlimited());
  for (int64_t i = 0; i < 1000; ++i) numbers->mutable_as<int64_t>()[i] = 1'000'000'000'000 + i * 7;
  std::string failure;
  const auto place = BlockWrite::start(file, {numbers, {{0, 1000, 8}}}, block_of(8000, 0), threads)->wait(failure);
  ASSERT_TRUE(place) << failure;
  EXPECT_EQ(place->form, BlockForm::Packed);
  EXPECT_LT(place->stored_bytes, 2100);
  EXPECT_EQ(folders.used_bytes(), place->stored_bytes);
  const auto read = BlockRead::start({{file, *place}}, columns::test::unlimited(), threads);
  execution::wait_for(read->done());
  EXPECT_TRUE(std::ranges::equal(bytes_of(*read->get()), bytes_of(*numbers)));
}

TEST(SpillFile, SaysThatTheDiskIsFull) {
  FakeFileSystem system;
  system.folders["/a"].room_bytes = 1500;
  SpillFolders folders({.folders = {"/a"}}, system);
  const auto file = folders.create("Sort");
  std::string failure;
  EXPECT_TRUE(file->append({bytes_of(*block_of(1000, 1)), {}}, {}, failure));
  EXPECT_FALSE(file->append({bytes_of(*block_of(1000, 1)), {}}, {}, failure));
  EXPECT_EQ(failure, "No space left on device");
  EXPECT_EQ(folders.used_bytes(), 1000);
}

TEST(SpillFolders, TakeTurns) {
  FakeFileSystem system;
  SpillFolders folders({.folders = {"/a", "/b"}}, system);
  EXPECT_EQ(folders.create("Sort")->folder(), "/a");
  EXPECT_EQ(folders.create("Sort")->folder(), "/b");
  EXPECT_EQ(folders.create("Sort")->folder(), "/a");
}

TEST(SpillFolders, LeaveAloneThoseThatFailAndNameThemWhenNoneIsLeft) {
  FakeFileSystem system;
  system.folders["/gone"].open_error = ENOENT;
  SpillFolders folders({.folders = {"/gone", "/full", "/b"}}, system);
  EXPECT_EQ(folders.create("Sort")->folder(), "/full");
  folders.give_up("/full", "No space left on device");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(folders.create("Sort")->folder(), "/b");
  folders.give_up("/b", "Input/output error");
  EXPECT_EQ(
      failure_of([&] { folders.create("Sort"); }),
      "out of memory: Sort has to spill and can't: /gone: No such file or directory; /full: No space left on device; "
      "/b: Input/output error; set spark.local.dir to folders with room, or spark.accelerant.memory.limit higher");
}

TEST(SpillFolders, KeepToTheirLimit) {
  FakeFileSystem system;
  SpillFolders folders({.folders = {"/a"}, .limit_bytes = 2048}, system);
  const auto file = folders.create("Sort");
  std::string failure;
  EXPECT_TRUE(file->append({bytes_of(*block_of(2000, 1)), {}}, {}, failure));
  EXPECT_FALSE(folders.create("Sort")->append({bytes_of(*block_of(100, 1)), {}}, {}, failure));
  EXPECT_EQ(failure, "spill files have reached the limit of 2.0 KiB (spark.accelerant.spill.limit)");
}

TEST(SpillFolders, WriteNothingInTheClearThatIsToBeEncrypted) {
  FakeFileSystem system;
  IoThreads threads(2);
  SpillFolders folders({.folders = {"/a"}, .encrypted = true}, system);
  write_and_read(folders, threads);
  const auto file = folders.create("Sort");
  std::string failure;
  EXPECT_TRUE(file->append({bytes_of(*block_of(1000, 1)), {}}, {}, failure));
  EXPECT_FALSE(system.has_written(bytes_of(*block_of(20, 1))));
  folders.configure({.folders = {"/a"}});
  const auto clear = folders.create("Sort");
  EXPECT_TRUE(clear->append({bytes_of(*block_of(1000, 1)), {}}, {}, failure));
  EXPECT_TRUE(system.has_written(bytes_of(*block_of(20, 1))));
}

TEST(IoThreads, DoAllWorkBeforeTheyEnd) {
  std::atomic<int> done = 0;
  {
    IoThreads threads(3);
    for (int i = 0; i < 100; ++i) threads.submit([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace accelerant::spill
