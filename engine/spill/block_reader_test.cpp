#include "spill/block_reader.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "spill/spill_folders.h"
#include "spill/test_file_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace accelerant::spill {
namespace {

using memory::Budget;
using memory::Buffer;

constexpr int64_t kBlockBytes = 4096;

class BlockReaderTest : public testing::Test {
 protected:
  BlockReaderTest() {
    const auto file = folders_.create("Sort");
    for (uint8_t i = 0; i < 4; ++i) {
      auto block = Buffer::allocate(kBlockBytes, columns::test::unlimited());
      std::fill_n(block->mutable_data(), kBlockBytes, i);
      std::string failure;
      const auto place = BlockWrite::start(file, {std::move(block), {}}, nullptr, threads_)->wait(failure);
      EXPECT_TRUE(place) << failure;
      blocks_.push_back({file, *place});
    }
  }

  static std::shared_ptr<Buffer> front(BlockReader& reader) {
    if (const auto event = reader.start_front()) execution::wait_for(event);
    EXPECT_EQ(reader.start_front(), nullptr);
    return reader.front();
  }

  /// Reads all blocks within a budget.
  /// @return the first byte of each
  std::vector<int> read(const std::shared_ptr<Budget>& budget) {
    std::vector<int> found;
    BlockReader reader(blocks_, budget, threads_);
    while (const auto block = front(reader)) {
      EXPECT_EQ(front(reader), block);
      found.push_back(block->data()[0]);
      reader.pop_front();
    }
    return found;
  }

  test::FakeFileSystem system_;
  IoThreads threads_{2};
  SpillFolders folders_{{.folders = {"/a"}}, system_};
  std::vector<StoredBlock> blocks_;
};

TEST_F(BlockReaderTest, ReadsAheadWhereThereIsMemory) {
  // What a block takes is rounded up.
  for (const int64_t num_blocks : {1, 2, 3}) {
    const auto budget = std::make_shared<Budget>("test", num_blocks * (kBlockBytes + kBlockBytes / 4));
    EXPECT_EQ(read(budget), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(budget->used_bytes(), 0);
    EXPECT_EQ(budget->peak_bytes() > 2 * kBlockBytes - 1, num_blocks > 1);
  }
}

TEST_F(BlockReaderTest, CanBeAskedAgainWhereMemoryWasShort) {
  const auto budget = std::make_shared<Budget>("test", 2 * kBlockBytes);
  BlockReader reader(blocks_, budget, threads_);
  budget->reserve(budget->limit_bytes());
  EXPECT_THROW(reader.start_front(), Error);
  budget->release(budget->limit_bytes());
  EXPECT_EQ(front(reader)->data()[0], 0);
}

TEST_F(BlockReaderTest, GivesBackTheMemoryOfBlocksOnTheirWay) {
  const auto budget = std::make_shared<Budget>("test", 16 * kBlockBytes);
  static_cast<void>(BlockReader(blocks_, budget, threads_).start_front());
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST_F(BlockReaderTest, ReadsSmallBlocksTogetherWhereABudgetIsLarge) {
  for (const bool is_large : {true, false}) {
    const auto budget = std::make_shared<Budget>("test", (is_large ? 64 : 16) * kBlockBytes);
    BlockReader reader(blocks_, budget, threads_);
    for (int64_t left = 4; const auto block = front(reader); --left) {
      const int64_t num_held = is_large ? left : std::min<int64_t>(left, 2);
      EXPECT_GE(budget->used_bytes(), num_held * kBlockBytes);
      EXPECT_LT(budget->used_bytes(), (num_held + 1) * kBlockBytes);
      reader.pop_front();
    }
  }
}

TEST_F(BlockReaderTest, FailsWhereABlockIsDamaged) {
  system_.folders["/a"].flipped_byte = kBlockBytes + 5;
  BlockReader reader(blocks_, columns::test::unlimited(), threads_);
  EXPECT_EQ(front(reader)->data()[0], 0);
  reader.pop_front();
  EXPECT_THROW(front(reader), Error);
  EXPECT_THROW(front(reader), Error);
}

}  // namespace
}  // namespace accelerant::spill
