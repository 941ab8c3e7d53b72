#pragma once

#include "execution/context.h"
#include "execution/event.h"
#include "operators/stage_results.h"
#include "runtime/query.h"
#include "runtime/stage_pipeline.h"
#include "runtime/stage_start.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

namespace accelerant::runtime {

/// One run of all of a query's stages but the last. They run one after the other; what a stage made goes when the last
/// stage that reads it has ended.
class SharedStages : public std::enable_shared_from_this<SharedStages> {
 public:
  explicit SharedStages(std::shared_ptr<Query> query);

  void start() { start_stage(0); }
  /// Says that one more, or one fewer, stream reads the result. When none is left and the query does not keep the
  /// result for another, the run is cancelled.
  void join() { users_.fetch_add(1, std::memory_order_relaxed); }
  void leave();
  /// Fires when all that the last stage reads is made, or the run has failed.
  const execution::EventPtr& done() const { return done_; }
  /// What the last stage reads. Rethrows what the run failed with. Only after `done`.
  const operators::StageResults& results() const;
  /// Waits for `done`, but not longer than `timeout`; returns whether it has fired.
  bool wait(std::chrono::milliseconds timeout) const;
  bool has_failed() const;
  /// Makes the run fail with Error{Cancelled} unless it is done.
  void cancel();

 private:
  void start_stage(size_t index);
  /// Makes the pipeline of a stage and starts it; what keeps it from that ends the run.
  /// @throws memory::MemoryWait having started nothing
  void make_stage(size_t index);
  /// Lets go of what no later stage reads.
  void drop_read(size_t index);
  void stage_ended(size_t index, operators::Breaker* breaker, std::exception_ptr error);
  void end();

  const std::shared_ptr<Query> query_;
  const execution::EventPtr done_ = std::make_shared<execution::Event>();
  execution::Cancellation cancellation_;
  std::atomic<int> users_{0};
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  bool has_ended_ = false;
  std::shared_ptr<PipelineRun> run_;
  std::weak_ptr<StageStart> start_;  ///< the last one
  operators::StageResults results_;  ///< changed only between stages
  std::exception_ptr error_;
};

}  // namespace accelerant::runtime
