#pragma once

#include "operators/operator.h"
#include "runtime/arbiter.h"
#include "runtime/scheduler.h"

#include <atomic>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accelerant::runtime {

/// A source and the transforms its batches pass through, with the counters of each.
struct PipelineFeed {
  std::unique_ptr<operators::Source> source;
  execution::Metrics* source_metrics = nullptr;
  bool counts_source_rows = true;  ///< false: the first transform's output is the source node's
  bool after_others = false;       ///< starts when every driver is through with the feeds before
  std::vector<operators::CountedTransform> transforms;
};

/// Feeds, one after the other, and the sink they end in. To the sink, a feed's morsels come after those of the feeds
/// before.
struct Pipeline {
  std::vector<PipelineFeed> feeds;
  std::shared_ptr<operators::Sink> sink;
  execution::Metrics* sink_metrics = nullptr;
  uint64_t interruptions = 0;  ///< seed of what interrupts its steps, for tests (Attempts); 0: nothing does
};

class Driver;
class FinishDriver;
class ResumableTask;

/// One execution of a pipeline by several drivers, one a worker. Lives until its last driver ended.
class PipelineRun : public std::enable_shared_from_this<PipelineRun> {
 public:
  /// @param cancellation outlives the run
  /// @param on_done called once, on a worker, when all drivers ended; with the first error in the order of morsels,
  /// that the run was stopped, or nullptr: the sink is finished
  PipelineRun(Pipeline pipeline, const execution::Cancellation& cancellation,
              std::function<void(std::exception_ptr)> on_done);
  ~PipelineRun();

  /// Starts at most `max_drivers` drivers on `scheduler`, which must outlive the run.
  /// @param participant the query that it is of; nullptr: its steps do not wait for memory
  void start(Scheduler& scheduler, int max_drivers, std::shared_ptr<Participant> participant = nullptr);
  /// Makes drivers end soon, suspended ones included. Any thread.
  void stop();

 private:
  friend class Driver;
  friend class FinishDriver;

  Scheduler& scheduler() const { return *scheduler_; }
  const std::shared_ptr<Participant>& participant() const { return participant_; }
  const execution::Cancellation& cancellation() const { return cancellation_; }
  operators::Sink& sink() const { return *pipeline_.sink; }
  execution::Metrics& sink_metrics() const { return *pipeline_.sink_metrics; }
  /// Returns the seed of the next task's interruptions.
  uint64_t next_seed();
  /// Notes what work on a morsel failed with; the error of the least morsel stays, as if one worker had done all in
  /// order. Work on earlier morsels goes on: it may fail too, or satisfy the sink, and then the error does not count.
  void fail(std::exception_ptr error, int64_t morsel);
  /// Called by each driver at the end of each feed.
  void leave_feed(size_t feed);
  /// Returns the event that a driver has to wait for before a feed; nullptr: none.
  execution::EventPtr barrier_before(size_t feed) const;
  /// Returns the number of morsels in the feeds before.
  int64_t first_morsel(size_t feed) const { return first_morsels_[feed]; }
  /// Called by each driver once, at its end.
  void driver_ended();
  /// Returns why the sink is not to be finished; nullptr: it is.
  std::exception_ptr why_unfinished();
  /// Has further workers run the tasks that complete the sink's result.
  void start_finish_tasks();
  int64_t take_finish_task() { return next_finish_task_.fetch_add(1, std::memory_order_relaxed); }
  /// Notes what finishing failed with; no further task begins.
  void fail_finish(const std::exception_ptr& error);
  /// Called by each finish driver once, at its end.
  void finish_driver_ended();
  /// Keeps tasks, to wake them when the run is stopped.
  void add_tasks(std::span<const std::shared_ptr<ResumableTask>> tasks);
  /// Submits tasks, one or more, that follow on the slice that the calling thread is about to end.
  void submit_next(std::span<const std::shared_ptr<ResumableTask>> tasks);
  void conclude(const std::exception_ptr& error);
  /// Notes that the sink wants nothing more.
  void satisfy();
  bool satisfied() const { return satisfied_.load(std::memory_order_acquire); }
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }
  bool failed() const { return failed_morsel_.load(std::memory_order_acquire) != kNone; }
  /// Says whether work on a morsel still counts.
  bool wants(int64_t morsel) const { return !stopped() && morsel < failed_morsel_.load(std::memory_order_acquire); }
  void wake_tasks();

  /// Later than all morsels: the time when sinks combine and finish.
  static constexpr int64_t kAfterAll = std::numeric_limits<int64_t>::max() - 1;
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  Pipeline pipeline_;
  const execution::Cancellation& cancellation_;
  std::function<void(std::exception_ptr)> on_done_;
  Scheduler* scheduler_ = nullptr;
  std::shared_ptr<Participant> participant_;
  std::vector<int64_t> first_morsels_;  ///< by feed, and the number of all
  std::vector<std::atomic<int>> drivers_in_feed_;
  std::vector<execution::EventPtr> feed_ended_;
  std::vector<std::shared_ptr<ResumableTask>> tasks_;  ///< drivers, then finish drivers
  std::atomic<bool> stopped_{false};
  std::atomic<bool> satisfied_{false};
  std::atomic<int64_t> failed_morsel_{kNone};
  int num_drivers_ = 0;
  std::atomic<int> live_drivers_{0};
  std::atomic<int64_t> next_finish_task_{0};
  std::atomic<uint64_t> num_seeds_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
  std::exception_ptr finish_error_;  ///< of the first step of finishing that failed
};

}  // namespace accelerant::runtime
