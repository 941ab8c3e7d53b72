#pragma once

#include "operators/operator.h"
#include "runtime/scheduler.h"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::runtime {

/// A source, the transforms its batches pass through, and the sink they end in, with the counters of each.
struct Pipeline {
  struct Stage {
    std::unique_ptr<operators::Transform> transform;
    execution::Metrics* metrics;
  };

  std::unique_ptr<operators::Source> source;
  execution::Metrics* source_metrics = nullptr;
  bool counts_source_rows = true;  ///< false: the first stage's output is the source node's
  std::vector<Stage> stages;
  std::shared_ptr<operators::Sink> sink;
  execution::Metrics* sink_metrics = nullptr;
};

class Driver;

/// One execution of a pipeline by several drivers, one a worker. Lives until its last driver ended.
class PipelineRun : public std::enable_shared_from_this<PipelineRun> {
 public:
  /// @param cancellation outlives the run
  /// @param on_done called once, on a worker, when all drivers ended; with the first error or nullptr
  PipelineRun(Pipeline pipeline, const execution::Cancellation& cancellation,
              std::function<void(std::exception_ptr)> on_done);
  ~PipelineRun();

  /// Starts at most `max_drivers` drivers on `scheduler`, which must outlive the run.
  void start(Scheduler& scheduler, int max_drivers);
  /// Makes drivers end soon, suspended ones included. Any thread.
  void stop();

 private:
  friend class Driver;
  /// Notes an error (the first one stays) and stops.
  void fail(std::exception_ptr error);
  /// Called by each driver once, at its end.
  void driver_ended();
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }

  Pipeline pipeline_;
  const execution::Cancellation& cancellation_;
  std::function<void(std::exception_ptr)> on_done_;
  Scheduler* scheduler_ = nullptr;
  std::vector<std::shared_ptr<Driver>> drivers_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> satisfied_{false};  ///< the sink wants nothing more
  std::atomic<int> live_drivers_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace accelerant::runtime
