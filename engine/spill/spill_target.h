#pragma once

#include "spill/io_threads.h"
#include "spill/spill_folders.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace accelerant::spill {

/// What the operators of a plan node spill to, and what is counted of it. Any thread.
struct SpillTarget {
  explicit SpillTarget(std::string name, SpillFolders& to = process_folders(), IoThreads& by = process_io_threads())
      : owner(std::move(name)), folders(to), threads(by) {}

  const std::string owner;  ///< for messages, e.g. "Sort (plan node 3)"
  SpillFolders& folders;
  IoThreads& threads;
  std::atomic<int64_t> written_bytes{0};
};

}  // namespace accelerant::spill
