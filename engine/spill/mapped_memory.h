#pragma once

#include "memory/disk_memory.h"
#include "spill/spill_folders.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace accelerant::spill {

/// Memory that is mapped to files of spill folders: the system writes its pages there when it lacks memory, and reads
/// them when they are touched. So what can't be spilled has room as long as a disk has, and is as slow as that.
///
/// Large memory has a file of its own; small pieces share one, that goes with the last of them.
class MappedMemory final : public memory::DiskMemory {
 public:
  /// @param folders which outlive it
  explicit MappedMemory(SpillFolders& folders) : folders_(folders) {}

  std::shared_ptr<uint8_t> allocate(int64_t bytes, const std::string& asker) override;

 private:
  SpillFolders& folders_;
  std::mutex mutex_;
  std::weak_ptr<uint8_t> shared_;  ///< what small pieces are cut off
  int64_t taken_ = 0;              ///< bytes of it
};

/// Returns that in the folders of the process; never destroyed.
MappedMemory& process_mapped_memory();

}  // namespace accelerant::spill
