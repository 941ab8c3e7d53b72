#pragma once

#include "execution/event.h"
#include "memory/budget.h"
#include "memory/buffer.h"
#include "spill/spill_file.h"

#include <memory>
#include <vector>

namespace accelerant::spill {

/// Reads blocks in their order and, while one is looked at, the next ones, where there is memory for them. Small ones
/// are read some at a time. One thread.
class BlockReader {
 public:
  /// @param budget of the blocks
  BlockReader(std::vector<StoredBlock> blocks, std::shared_ptr<memory::Budget> budget, IoThreads& threads);
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;
  /// Waits for blocks on their way: their memory goes back with this.
  ~BlockReader();

  /// Begins to read the first block that is left, and those behind it. Returns what to wait for until `front` has it;
  /// nullptr: it does, or none is left. What it throws changes nothing.
  /// @throws Error Resource, of class kOutOfBudget, where there is no memory for it
  execution::EventPtr start_front();
  /// Returns the first block that is left, for which nothing has to be waited; nullptr: none is left.
  /// @throws Error Resource as SpillFile::read
  std::shared_ptr<memory::Buffer> front() const;
  /// Goes on behind the first block, which `front` has returned.
  void pop_front();

 private:
  /// Blocks that are read at a time.
  struct Blocks {
    std::shared_ptr<BlockRead> read = nullptr;
    size_t count = 0;
  };

  /// Returns how many blocks from one on are worth a task.
  size_t count_from(size_t first) const;
  Blocks start(size_t first, size_t count) const;
  /// Begins to read blocks from one on, fewer where memory is short; none where there is none of either.
  Blocks try_to_start(size_t first) const;

  const std::vector<StoredBlock> blocks_;
  const std::shared_ptr<memory::Budget> budget_;
  IoThreads& threads_;
  size_t next_ = 0;  ///< the first block that is left
  Blocks read_;      ///< from that one on, but for `passed_`
  size_t passed_ = 0;
  Blocks ahead_;  ///< those behind them
};

}  // namespace accelerant::spill
