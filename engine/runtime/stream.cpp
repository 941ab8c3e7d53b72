#include "runtime/stream.h"

#include "base/error.h"
#include "memory/memory_wait.h"
#include "operators/result.h"

#include <algorithm>
#include <utility>

namespace accelerant::runtime {

namespace {

/// What a stream holds ready for its consumer, at most (but one batch always).
constexpr int64_t kQueueBytes = 32 << 20;
/// What part of the memory of the query that is, at most.
constexpr int64_t kQueuePart = 8;

int64_t queue_bytes(const Query& query) {
  const int64_t limit = std::min(query.budget()->limit_bytes(), memory::process_budget()->limit_bytes());
  return std::min(kQueueBytes, limit / kQueuePart);
}

}  // namespace

Stream::Stream(std::shared_ptr<Query> query, std::shared_ptr<SharedStages> shared, int index, int count)
    : query_(std::move(query)),
      index_(index),
      count_(count),
      queue_(std::make_shared<operators::OutputQueue>(queue_bytes(*query_))),
      shared_(std::move(shared)),
      joined_(shared_) {}

Stream::~Stream() { set_consuming(false); }

void Stream::set_consuming(bool is_consuming) {
  if (is_consuming_.exchange(is_consuming) == is_consuming) return;
  Participant& participant = *query_->participant();
  if (is_consuming) {
    participant.begin_consuming();
  } else {
    participant.end_consuming();
  }
}

operators::OutputQueue::Pop Stream::next(columns::Batch& out, std::chrono::milliseconds timeout) {
  if (!queue_->is_ready()) set_consuming(false);
  const operators::OutputQueue::Pop made = queue_->pop(out, timeout);
  if (made == operators::OutputQueue::Pop::Batch) set_consuming(true);
  return made;
}

void Stream::start() {
  if (!shared_) return start_last_stage();
  shared_->done()->on_fire([self = shared_from_this()] { self->start_last_stage(); });
}

void Stream::start_last_stage() {
  const auto start =
      std::make_shared<StageStart>(scheduler(), query_->participant(), cancellation_, query_->options().interruptions,
                                   [self = shared_from_this()] { self->make_last_stage(); });
  {
    std::lock_guard lock(mutex_);
    start_ = start;
  }
  start->run_slice();
}

void Stream::make_last_stage() {
  try {
    cancellation_.check();
    operators::StageResults none;
    none.parameters = query_->functions();
    const StageRun stage_run{*query_,
                             query_->physical_plan().stages.back(),
                             shared_ ? shared_->results() : none,
                             cancellation_,
                             {index_, count_}};
    const auto ctx = query_->context(*query_->plan().root, cancellation_);
    auto run = std::make_shared<PipelineRun>(
        make_pipeline(stage_run, std::make_shared<operators::ResultSink>(queue_, ctx), ctx.metrics), cancellation_,
        [self = shared_from_this()](std::exception_ptr error) { self->queue_->close(std::move(error)); });
    {
      std::lock_guard lock(mutex_);
      run_ = run;
    }
    run->start(scheduler(), query_->num_drivers(stage_run.stage), query_->participant());
    if (cancellation_.is_cancelled()) run->stop();
  } catch (const memory::MemoryWait&) {
    throw;
  } catch (...) {
    queue_->close(std::current_exception());
  }
}

void Stream::cancel() { stop(std::make_exception_ptr(Error(ErrorKind::Cancelled, "the query was cancelled"))); }

void Stream::close() { stop(nullptr); }

void Stream::stop(std::exception_ptr error) {
  std::shared_ptr<PipelineRun> run;
  std::shared_ptr<SharedStages> shared;
  std::shared_ptr<StageStart> start;
  {
    std::lock_guard lock(mutex_);
    start = start_.lock();
    run = std::exchange(run_, nullptr);
    shared = std::exchange(joined_, nullptr);
  }
  cancellation_.cancel();
  queue_->discard(std::move(error));
  set_consuming(false);
  if (run) run->stop();
  if (start) start->wake();
  if (shared) shared->leave();
}

}  // namespace accelerant::runtime
