#pragma once

#include "runtime/attempts.h"
#include "runtime/pipeline.h"
#include "runtime/resumable_task.h"

#include <memory>
#include <optional>
#include <vector>

namespace accelerant::runtime {

/// Carries batches through a pipeline for one worker, feed by feed: a stack of transforms, resumed where it stopped.
class Driver final : public ResumableTask {
 public:
  /// @param seed of interruptions; 0: none
  Driver(std::shared_ptr<PipelineRun> run, uint64_t seed);

  bool run_slice() override;

 private:
  enum class Progress { Moved, Suspended, Ended };

  /// Makes one step: a batch from the source, through a transform, or into the sink, or hands the sink's state over.
  Progress step();
  /// Calls an operator.
  template <class Call>
  operators::Step call(execution::Metrics& metrics, const Call& call);
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
  /// Hands the sink's state over.
  Progress combine();
  /// Leaves the worker until an event fires, or nobody wants what the driver works on.
  void wait_for(const execution::EventPtr& event);
  /// The morsel that is worked on; while the source is asked, the one it got to.
  int64_t current_morsel() const;
  /// Leaves the run.
  void end();

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
  bool is_combining_ = false;
  execution::EventPtr waiting_for_;
  Attempts attempts_;
};

}  // namespace accelerant::runtime
