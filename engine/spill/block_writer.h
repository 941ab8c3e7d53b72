#pragma once

#include "columns/column.h"
#include "memory/budget.h"
#include "spill/spill_file.h"
#include "spill/spill_target.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::spill {

/// Writes columns to a new file as blocks, each while the next one is made. One thread.
class BlockWriter {
 public:
  /// Thrown where the file's folder fails; no std::exception, as it ends nothing: all is written anew to another one.
  struct FolderFailed {
    std::string folder;
    std::string reason;
  };

  /// @param budget of blocks on their way
  /// @throws Error Resource, of class kOutOfBudget, naming all folders and why they failed
  BlockWriter(SpillTarget& target, std::shared_ptr<memory::Budget> budget);
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;
  /// Waits for a block on its way.
  ~BlockWriter();

  /// Returns what `write` makes; where it throws FolderFailed it is called again, for another folder.
  template <class Write>
  static auto with_folders(SpillTarget& target, const Write& write) {
    while (true) {
      try {
        return write();
      } catch (const FolderFailed& failed) {
        target.folders.give_up(failed.folder, failed.reason);
      }
    }
  }

  /// Likewise with a writer to whose file blocks are added from call to call; where there is none, one is made of a new
  /// file. Where `write` throws, the writer goes: blocks that were written before keep their file.
  template <class Write>
  static auto with_writer(SpillTarget& target, std::unique_ptr<BlockWriter>& writer,
                          const std::shared_ptr<memory::Budget>& budget, const Write& write) {
    return with_folders(target, [&] {
      if (!writer) writer = std::make_unique<BlockWriter>(target, budget);
      try {
        return write();
      } catch (...) {
        writer.reset();
        throw;
      }
    });
  }

  /// Begins to write a block of at least one row.
  void add(std::span<const columns::ColumnPtr> columns);
  /// Waits for the last block, and returns the places of all since it was called last.
  std::vector<BlockExtent> finish();

  const std::shared_ptr<SpillFile>& file() const { return file_; }

 private:
  /// Waits for the block on its way.
  void settle();

  SpillTarget& target_;
  const std::shared_ptr<memory::Budget> budget_;
  const std::shared_ptr<SpillFile> file_;
  std::shared_ptr<BlockWrite> write_;
  std::vector<BlockExtent> places_;
};

}  // namespace accelerant::spill
