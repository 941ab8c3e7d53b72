#pragma once

#include "memory/budget.h"
#include "spill/io_threads.h"
#include "spill/spill_folders.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace accelerant::spill {

/// What the operators of a plan node spill to, and what is counted of it. Any thread.
struct SpillTarget {
  SpillTarget(std::string name, std::shared_ptr<const memory::Budget> of_query, SpillFolders& to = process_folders(),
              IoThreads& by = process_io_threads())
      : owner(std::move(name)), query_budget(std::move(of_query)), folders(to), threads(by) {}

  /// Returns the bytes that the query and the process have left at this moment. Reserves nothing.
  int64_t bytes_left() const {
    const auto left = [](const memory::Budget& budget) { return budget.limit_bytes() - budget.used_bytes(); };
    return std::max<int64_t>(0, std::min(left(*query_budget), left(*memory::process_budget())));
  }

  /// Returns the bytes that the query may use.
  int64_t limit_bytes() const { return std::min(query_budget->limit_bytes(), memory::process_budget()->limit_bytes()); }

  const std::string owner;  ///< for messages, e.g. "Sort (plan node 3)"
  const std::shared_ptr<const memory::Budget> query_budget;
  SpillFolders& folders;
  IoThreads& threads;
  std::atomic<int64_t> written_bytes{0};
};

}  // namespace accelerant::spill
