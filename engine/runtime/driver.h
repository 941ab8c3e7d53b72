#pragma once

#include "runtime/pipeline.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::runtime {

/// Carries batches through a pipeline for one worker, feed by feed: a stack of transforms, resumed where it stopped.
class Driver : public Task, public std::enable_shared_from_this<Driver> {
 public:
  explicit Driver(std::shared_ptr<PipelineRun> run);

  bool run_slice() override;
  /// Queues the driver again if it is suspended; at most one caller succeeds.
  void wake();

 private:
  enum class Progress { Moved, Suspended, Ended };

  /// Makes one step: a batch from the source, through a transform, or into the sink.
  Progress step();
  Progress pull_source();
  /// Makes the states for the feed at hand.
  void enter_feed();
  /// Goes on to the next feed; Ended after the last.
  Progress leave_feed();
  PipelineFeed& feed() const;
  Progress run_transform();
  Progress run_sink();
  /// Goes back to the deepest transform that has more output, or to the source.
  void go_upstream();
  void suspend(const execution::EventPtr& event);
  /// The morsel that is worked on; while the source is asked, the one it got to.
  int64_t current_morsel() const { return position_ == 0 ? run_->first_morsel(feed_) + batches_[0].morsel : morsel_; }
  /// Hands the sink's state over if all went well, and leaves the run.
  void end(bool complete);

  std::shared_ptr<PipelineRun> run_;
  size_t feed_ = 0;
  std::unique_ptr<operators::State> source_state_;
  std::vector<std::unique_ptr<operators::State>> transform_states_;
  std::unique_ptr<operators::State> sink_state_;
  /// batches_[i] is the input of transform i; the last one that of the sink.
  std::vector<columns::Batch> batches_;
  std::vector<bool> has_more_;
  int64_t morsel_ = -1;  ///< of the batch that the source gave last
  bool between_morsels_ = true;
  size_t position_ = 0;  ///< 0: the source; i: transform i - 1; past the last one: the sink
  execution::EventPtr waiting_for_;
  std::atomic<bool> parked_{false};
};

}  // namespace accelerant::runtime
