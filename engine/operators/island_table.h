#pragma once

#include "columns/batch.h"
#include "execution/event.h"
#include "memory/buffer.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// Rings when there may be something to do for those who compute rows for a query: somebody reads a partition, took
/// rows of one or left it. Thread-safe.
class IslandBell {
 public:
  void ring();
  /// Waits until it has rung more often than `seen` times, but not longer than `timeout`; returns how often it has.
  uint64_t wait(uint64_t seen, std::chrono::milliseconds timeout);
  /// Sets what each ring calls besides, on the thread that rings. Set before the first ring.
  void set_listener(std::function<void()> listener) { listener_ = std::move(listener); }

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  uint64_t rings_ = 0;
  std::function<void()> listener_;
};

/// Rows of the program around the engine, a few at a time.
struct IslandChunk {
  memory::BufferPtr bytes;  ///< as io::read_unsafe_rows reads them; where the engine has some columns, an Arrow stream
  int64_t num_rows = 0;
  std::optional<columns::Batch> first_columns = {};  ///< those that the engine has; `bytes` are of the others
  int64_t first = 0;                                 ///< of the rows in the Arrow stream
};

/// One reading of a partition, between the thread that computes its rows and the source that reads them. Thread-safe.
class IslandRows {
 public:
  /// @param on_demand whether nothing is computed before it is asked for
  IslandRows(int partition, bool on_demand, std::shared_ptr<IslandBell> bell)
      : partition_(partition), on_demand_(on_demand), bell_(std::move(bell)) {}

  int partition() const { return partition_; }

  /// What becomes of further rows. Full: they would be taken, but should wait.
  enum class Room { Free, Full, Unwanted };
  Room room() const;
  /// Hands over the next rows; drops them where they are unwanted.
  void put(IslandChunk rows);
  /// Says that all rows were handed over.
  void finish();
  /// Says why no further rows will come.
  void fail(std::exception_ptr error);
  /// Says whether rows were handed over.
  bool has_begun() const;

  /// Takes the next rows. Nothing at the end, or, with an event in `wait`, while there are none. Rethrows the failure.
  std::optional<IslandChunk> take(execution::EventPtr& wait);
  /// Says that the reader wants no more.
  void leave();

 private:
  void end(std::exception_ptr error);
  void tell_reader();  ///< under the lock

  const int partition_;
  const bool on_demand_;
  const std::shared_ptr<IslandBell> bell_;
  mutable std::mutex mutex_;
  std::deque<IslandChunk> chunks_;
  execution::EventPtr waiting_;  ///< of the reader
  std::exception_ptr error_;
  bool begun_ = false;
  bool ended_ = false;
  bool left_ = false;
};

/// Rows that threads around the engine compute, partition by partition, while it reads them: a source asks for
/// partitions, and a feeder claims one after the other of those asked for. Thread-safe.
class IslandTable {
 public:
  /// @param num_rows an estimate of all partitions' rows
  IslandTable(int num_partitions, int64_t num_rows, std::shared_ptr<IslandBell> bell)
      : num_partitions_(num_partitions), num_rows_(num_rows), bell_(std::move(bell)) {}

  int num_partitions() const { return num_partitions_; }
  int64_t num_rows() const { return num_rows_; }
  /// Has nothing computed before it is asked for: the reader may not want all. Set before anything is read.
  void set_on_demand() { on_demand_ = true; }

  /// Asks for a partition; any number of times.
  std::shared_ptr<IslandRows> open(int partition);
  /// Returns the least partition of [first, last) that somebody reads and nobody computes; nullptr: there is none.
  std::shared_ptr<IslandRows> claim(int first, int last);
  /// Gives a claim back, of which no row was handed over, for another one to take.
  void give_back(std::shared_ptr<IslandRows> rows);

 private:
  const int num_partitions_;
  const int64_t num_rows_;
  const std::shared_ptr<IslandBell> bell_;
  bool on_demand_ = false;
  std::mutex mutex_;
  std::vector<std::shared_ptr<IslandRows>> asked_;  ///< and not claimed
};

}  // namespace accelerant::operators
