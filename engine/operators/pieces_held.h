#pragma once

#include "execution/event.h"
#include "operators/operator.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

namespace accelerant::operators {

/// Which workers hold pieces of what is on disk, whose rows they emit. One that has no memory for its least piece
/// beside others' loads it alone. Any thread.
class PiecesHeld {
 public:
  /// A worker's piece, as long as this lives.
  class Hold {
   public:
    Hold(PiecesHeld& of, int64_t morsel) : of_(of), morsel_(morsel) {}
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() { of_.end(morsel_); }

   private:
    PiecesHeld& of_;
    const int64_t morsel_;
  };

  /// @param keeps_order whether rows may have to wait for those of lower morsels
  explicit PiecesHeld(bool keeps_order) : keeps_order_(keeps_order) {}

  /// Begins to hold a piece; nullptr, with what to wait for, where another worker loads alone, or this one wants to and
  /// others hold some.
  std::unique_ptr<Hold> begin(const State& worker, int64_t morsel, execution::EventPtr& others);
  /// Has a worker, which holds none, load alone; false: it did, or can't: what others hold may have to wait for its
  /// rows.
  bool want_alone(const State& worker, int64_t morsel);
  /// Ends that. Called when it has loaded, or will not.
  void end_alone(const State& worker);

 private:
  void end(int64_t morsel);
  void note_change();

  const bool keeps_order_;
  std::mutex mutex_;
  std::multiset<int64_t> morsels_;  ///< of the pieces that are held
  const State* alone_ = nullptr;    ///< who loads alone, or wants to
  execution::EventPtr changed_;
};

}  // namespace accelerant::operators
