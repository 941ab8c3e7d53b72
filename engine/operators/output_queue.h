#pragma once

#include "columns/batch.h"
#include "execution/event.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

namespace accelerant::operators {

/// Batches on their way from workers to one consumer outside the engine, put in order by morsel. Bounded: a producer
/// that would exceed the bound is asked to wait by an event. The morsel the consumer waits for is let in first, so that
/// order never blocks progress. Thread-safe.
class OutputQueue {
 public:
  /// @param capacity_bytes soft bound on the bytes held; one batch is always let in
  explicit OutputQueue(int64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  /// Takes `batch` and returns nullptr, or leaves it and returns the event to wait for.
  execution::EventPtr push(columns::Batch& batch);
  /// Says that no batch will follow; the consumer gets an error after the batches that are next in order.
  void close(std::exception_ptr error);
  /// Drops all batches and closes.
  void discard(std::exception_ptr error);

  /// Makes a consumer that waits, or else its next wait, return early: there is something else to do.
  void wake();

  /// Says whether a pop would not wait now.
  bool is_ready() const;

  enum class Pop { Batch, End, TimedOut };
  /// Waits for the next batch in order. Rethrows the producers' error. Consumer only.
  Pop pop(columns::Batch& out, std::chrono::milliseconds timeout);
  int64_t held_bytes() const;

 private:
  struct Morsel {
    std::deque<columns::Batch> batches;
    bool ended = false;
  };

  bool has_next_batch() const;
  bool has_room_for(const columns::Batch& batch, int64_t bytes) const;
  /// Moves past morsels that ended and are drained.
  void advance();

  const int64_t capacity_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::map<int64_t, Morsel> morsels_;
  int64_t next_morsel_ = 0;
  int64_t held_bytes_ = 0;
  bool closed_ = false;
  bool woken_ = false;
  std::exception_ptr error_;
  execution::EventPtr room_;  ///< fired when the consumer took something
};

}  // namespace accelerant::operators
