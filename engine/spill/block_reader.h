#pragma once

#include "execution/event.h"
#include "memory/budget.h"
#include "memory/buffer.h"
#include "spill/spill_file.h"

#include <memory>
#include <vector>

namespace accelerant::spill {

/// A block of a file that it keeps.
struct StoredBlock {
  std::shared_ptr<const SpillFile> file;
  BlockExtent place;
};

/// Reads blocks in their order and, while one is looked at, the next one, where there is memory for it. One thread.
class BlockReader {
 public:
  /// @param budget of the blocks
  BlockReader(std::vector<StoredBlock> blocks, std::shared_ptr<memory::Budget> budget, IoThreads& threads);
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;
  /// Waits for blocks on their way: their memory goes back with this.
  ~BlockReader();

  /// Begins to read the first block that is left, and the one behind it. Returns what to wait for until `front` has it;
  /// nullptr: it does, or none is left. What it throws changes nothing.
  /// @throws Error Resource, of class kOutOfBudget, where there is no memory for it
  execution::EventPtr start_front();
  /// Returns the first block that is left, for which nothing has to be waited; nullptr: none is left.
  /// @throws Error Resource as SpillFile::read
  std::shared_ptr<memory::Buffer> front() const;
  /// Goes on behind the first block, which `front` has returned.
  void pop_front();

 private:
  std::shared_ptr<BlockRead> start(size_t block) const;
  /// Begins to read a block; nullptr: there is none, or no memory for it.
  std::shared_ptr<BlockRead> try_to_start(size_t block) const;

  const std::vector<StoredBlock> blocks_;
  const std::shared_ptr<memory::Budget> budget_;
  IoThreads& threads_;
  size_t next_ = 0;                   ///< the first block that is left
  std::shared_ptr<BlockRead> read_;   ///< of that one
  std::shared_ptr<BlockRead> ahead_;  ///< of the one behind it
};

}  // namespace accelerant::spill
