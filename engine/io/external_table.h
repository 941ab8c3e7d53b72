#pragma once

#include "memory/buffer.h"

#include <cstdint>
#include <map>
#include <memory>

namespace accelerant::io {

/// Reads one partition of an external table. One thread at a time.
class ExternalReader {
 public:
  virtual ~ExternalReader() = default;
  /// Returns the next rows as a stream of Arrow's IPC format, or of a cached relation as io::read_cached_batch reads
  /// them, in memory charged to `budget`; nullptr at the end.
  /// @throws Error Unsupported when Spark should run the query after all, Resource when the rows can't be read
  virtual memory::BufferPtr next(const std::shared_ptr<memory::Budget>& budget) = 0;
};

/// Rows that the program around the engine holds, in partitions, in their order. Any thread.
class ExternalTable {
 public:
  virtual ~ExternalTable() = default;
  virtual int num_partitions() const = 0;
  /// Estimates the rows of all partitions.
  virtual int64_t num_rows() const = 0;
  /// Starts to read a partition; any number of times. Never waits for work that needs the engine. The reader may
  /// outlive the table.
  virtual std::unique_ptr<ExternalReader> open(int partition) const = 0;
};

/// By the plan-message index of the node that reads it.
using ExternalTables = std::map<int, std::shared_ptr<const ExternalTable>>;

}  // namespace accelerant::io
