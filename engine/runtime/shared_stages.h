#pragma once

#include "execution/context.h"
#include "execution/event.h"
#include "runtime/pipeline.h"
#include "runtime/query.h"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

namespace accelerant::runtime {

/// One run of a query's stages up to the last breaker. Stages run one after the other.
class SharedStages : public std::enable_shared_from_this<SharedStages> {
 public:
  explicit SharedStages(std::shared_ptr<Query> query) : query_(std::move(query)) {}

  void start() { start_stage(0); }
  /// Says that one more, or one fewer, stream reads the result. When none is left and the query does not keep the
  /// result for another, the run is cancelled.
  void join() { users_.fetch_add(1, std::memory_order_relaxed); }
  void leave();
  /// Fires when the last breaker is complete or the run has failed.
  const execution::EventPtr& done() const { return done_; }
  /// The last breaker, complete. Rethrows what the run failed with. Only after `done`.
  std::shared_ptr<operators::Breaker> result() const;
  /// Makes the run fail with Error{Cancelled} unless it is done.
  void cancel();

 private:
  void start_stage(size_t index);
  void stage_ended(size_t index, std::exception_ptr error);

  const std::shared_ptr<Query> query_;
  const execution::EventPtr done_ = std::make_shared<execution::Event>();
  execution::Cancellation cancellation_;
  std::atomic<int> users_{0};
  mutable std::mutex mutex_;
  std::shared_ptr<PipelineRun> run_;
  std::shared_ptr<operators::Breaker> breaker_;  ///< of the stage that ran last
  std::exception_ptr error_;
};

/// Builds the pipeline of a stage whose sink and source are given: its transforms, with the node's contexts.
Pipeline make_pipeline(const Query& query, const planner::Stage& stage, std::unique_ptr<operators::Source> source,
                       std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       const execution::Cancellation& cancellation);

}  // namespace accelerant::runtime
