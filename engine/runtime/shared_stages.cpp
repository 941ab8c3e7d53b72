#include "runtime/shared_stages.h"

#include "base/error.h"
#include "planner/operators.h"

#include <utility>

namespace accelerant::runtime {

Pipeline make_pipeline(const Query& query, const planner::Stage& stage, std::unique_ptr<operators::Source> source,
                       std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       const execution::Cancellation& cancellation) {
  const auto context_of = [&](const plan::Node& node) {
    return query.nodes().context(node, cancellation, query.batch_rows());
  };
  Pipeline pipeline;
  pipeline.source = std::move(source);
  pipeline.sink = std::move(sink);
  pipeline.sink_metrics = sink_metrics;
  const auto source_ctx = context_of(*stage.source);
  pipeline.source_metrics = source_ctx.metrics;
  if (auto output = planner::make_output_transform(stage.source, source_ctx)) {
    pipeline.stages.push_back({std::move(output), source_ctx.metrics});
    pipeline.counts_source_rows = false;
  }
  for (const plan::NodePtr& node : stage.transforms) {
    const auto ctx = context_of(*node);
    pipeline.stages.push_back({planner::make_transform(node, ctx), ctx.metrics});
  }
  return pipeline;
}

void SharedStages::start_stage(size_t index) {
  const planner::Stage& stage = query_->stages_[index];
  try {
    const int64_t batch_rows = query_->batch_rows();
    const auto source_ctx = query_->nodes().context(*stage.source, cancellation_, batch_rows);
    const auto sink_ctx = query_->nodes().context(*stage.breaker, cancellation_, batch_rows);
    auto source = index == 0 ? query_->make_scan(0, 1, source_ctx) : breaker_->make_source(0, 1);
    auto breaker = planner::make_breaker(stage.breaker, sink_ctx);
    auto run = std::make_shared<PipelineRun>(
        make_pipeline(*query_, stage, std::move(source), breaker, sink_ctx.metrics, cancellation_), cancellation_,
        [self = shared_from_this(), index](std::exception_ptr error) { self->stage_ended(index, std::move(error)); });
    {
      std::lock_guard lock(mutex_);
      breaker_ = std::move(breaker);
      run_ = run;
    }
    run->start(scheduler(), query_->max_drivers());
    if (cancellation_.is_cancelled()) run->stop();
  } catch (...) {
    stage_ended(index, std::current_exception());
  }
}

void SharedStages::stage_ended(size_t index, std::exception_ptr error) {
  std::shared_ptr<PipelineRun> ended;
  {
    std::lock_guard lock(mutex_);
    ended = std::exchange(run_, nullptr);
    if (error && !error_) error_ = error;
  }
  if (!error && index + 2 < query_->stages_.size()) return start_stage(index + 1);
  done_->fire();
}

std::shared_ptr<operators::Breaker> SharedStages::result() const {
  std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return breaker_;
}

void SharedStages::leave() {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !query_->keeps(*this)) cancel();
}

void SharedStages::cancel() {
  std::shared_ptr<PipelineRun> run;
  {
    std::lock_guard lock(mutex_);
    run = run_;
  }
  cancellation_.cancel();
  if (run) run->stop();
}

}  // namespace accelerant::runtime
