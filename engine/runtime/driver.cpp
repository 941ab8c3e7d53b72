#include "runtime/driver.h"

#include "base/error.h"
#include "execution/step_timer.h"

#include <utility>

namespace accelerant::runtime {

using columns::Batch;
using execution::StepTimer;
using operators::Step;

namespace {

constexpr auto kSlice = std::chrono::milliseconds(5);

}  // namespace

Driver::Driver(std::shared_ptr<PipelineRun> run) : run_(std::move(run)) {
  sink_state_ = run_->pipeline_.sink->make_state();
  enter_feed();
}

PipelineFeed& Driver::feed() const { return run_->pipeline_.feeds[feed_]; }

void Driver::enter_feed() {
  const auto& transforms = feed().transforms;
  source_state_ = feed().source->make_state();
  transform_states_.clear();
  for (const auto& counted : transforms) transform_states_.push_back(counted.transform->make_state());
  batches_.assign(transforms.size() + 1, Batch());
  has_more_.assign(transforms.size(), false);
}

Driver::Progress Driver::leave_feed() {
  run_->leave_feed(feed_);
  if (feed_ + 1 == run_->pipeline_.feeds.size()) return Progress::Ended;
  ++feed_;
  enter_feed();
  return Progress::Moved;
}

bool Driver::run_slice() {
  const auto deadline = std::chrono::steady_clock::now() + kSlice;
  try {
    do {
      run_->cancellation_.check();
      if (!run_->wants(morsel_)) {
        end(false);
        return false;
      }
      switch (step()) {
        case Progress::Moved:
          break;
        case Progress::Suspended:
          suspend(std::exchange(waiting_for_, nullptr));
          return false;
        case Progress::Ended:
          end(true);
          return false;
      }
    } while (std::chrono::steady_clock::now() < deadline);
    return true;
  } catch (...) {
    run_->fail(std::current_exception(), current_morsel());
    end(false);
    return false;
  }
}

Driver::Progress Driver::step() {
  if (position_ == 0) return pull_source();
  return position_ <= transform_states_.size() ? run_transform() : run_sink();
}

Driver::Progress Driver::pull_source() {
  if (run_->satisfied() || (between_morsels_ && run_->failed())) return Progress::Ended;
  waiting_for_ = run_->barrier_before(feed_);
  if (waiting_for_) return Progress::Suspended;
  Batch& out = batches_[0];
  Step step;
  {
    const StepTimer timer(*feed().source_metrics);
    step = feed().source->next(*source_state_, out);
  }
  switch (step.kind) {
    case Step::Kind::HasOutput:
      out.morsel += run_->first_morsel(feed_);
      morsel_ = out.morsel;
      between_morsels_ = out.ends_morsel;
      if (feed().counts_source_rows) feed().source_metrics->count_output(out.num_selected());
      position_ = 1;
      return Progress::Moved;
    case Step::Kind::Suspended:
      waiting_for_ = std::move(step.event);
      return Progress::Suspended;
    default:
      return leave_feed();
  }
}

Driver::Progress Driver::run_transform() {
  const size_t index = position_ - 1;
  const operators::CountedTransform& counted = feed().transforms[index];
  std::optional<Batch> out;
  Step step;
  {
    const StepTimer timer(*counted.metrics);
    step = counted.transform->process(*transform_states_[index], batches_[index], out);
  }
  if (step.kind == Step::Kind::Suspended) {
    waiting_for_ = std::move(step.event);
    return Progress::Suspended;
  }
  has_more_[index] = step.kind == Step::Kind::HasOutput;
  if (out) {
    counted.metrics->count_output(out->num_selected());
    batches_[index + 1] = std::move(*out);
    ++position_;
  } else if (!has_more_[index]) {
    go_upstream();
  }
  return Progress::Moved;
}

Driver::Progress Driver::run_sink() {
  Pipeline& pipeline = run_->pipeline_;
  Step step;
  {
    const StepTimer timer(*pipeline.sink_metrics);
    step = pipeline.sink->consume(*sink_state_, batches_.back());
  }
  switch (step.kind) {
    case Step::Kind::Suspended:
      waiting_for_ = std::move(step.event);
      return Progress::Suspended;
    case Step::Kind::Finished:
      run_->satisfy();
      return Progress::Ended;
    default:
      batches_.back() = Batch();
      go_upstream();
      return Progress::Moved;
  }
}

void Driver::go_upstream() {
  while (--position_ > 0 && !has_more_[position_ - 1]) {
  }
}

void Driver::suspend(const execution::EventPtr& event) {
  const int64_t morsel = morsel_;
  const bool at_source = position_ == 0;
  const bool between_morsels = between_morsels_;
  auto self = shared_from_this();
  auto run = run_;
  parked_.store(true, std::memory_order_release);
  // From here on another worker may run this driver: touch nothing but the local copies.
  event->on_fire([self] { self->wake(); });
  if (!run->wants(morsel) || (at_source && (run->satisfied() || (between_morsels && run->failed())))) self->wake();
}

void Driver::wake() {
  if (parked_.exchange(false, std::memory_order_acq_rel)) run_->scheduler_->submit(shared_from_this());
}

void Driver::end(bool complete) {
  if (complete && !run_->stopped() && !run_->failed()) {
    try {
      const StepTimer timer(*run_->pipeline_.sink_metrics);
      run_->pipeline_.sink->combine(*sink_state_);
    } catch (...) {
      run_->fail(std::current_exception(), PipelineRun::kAfterAll);
    }
  }
  batches_.clear();
  source_state_.reset();
  transform_states_.clear();
  sink_state_.reset();
  auto run = std::move(run_);
  run->driver_ended();
}

}  // namespace accelerant::runtime
