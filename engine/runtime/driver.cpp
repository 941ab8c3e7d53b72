#include "runtime/driver.h"

#include "base/error.h"
#include "execution/step_timer.h"

#include <chrono>
#include <string>
#include <utility>

namespace accelerant::runtime {

using columns::Batch;
using operators::Step;

namespace {

constexpr auto kSlice = std::chrono::milliseconds(5);

}  // namespace

Driver::Driver(std::shared_ptr<PipelineRun> run, uint64_t seed)
    : ResumableTask(run->scheduler(), run->participant()), run_(std::move(run)), attempts_(seed, participant()) {
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
        end();
        return false;
      }
      switch (step()) {
        case Progress::Moved:
          break;
        case Progress::Suspended:
          wait_for(std::exchange(waiting_for_, nullptr));
          return false;
        case Progress::Ended:
          if (is_combining_ || run_->failed()) {
            end();
            return false;
          }
          is_combining_ = true;
          break;
      }
    } while (std::chrono::steady_clock::now() < deadline);
    return true;
  } catch (...) {
    run_->fail(std::current_exception(), current_morsel());
    end();
    return false;
  }
}

int64_t Driver::current_morsel() const {
  if (is_combining_) return PipelineRun::kAfterAll;
  return position_ == 0 ? run_->first_morsel(feed_) + batches_[0].morsel : morsel_;
}

template <class Call>
Step Driver::call(execution::Metrics& metrics, const Call& call) {
  const execution::StepTimer timer(metrics);
  return attempts_.make(call);
}

Driver::Progress Driver::step() {
  if (is_combining_) return combine();
  if (position_ == 0) return pull_source();
  return position_ <= transform_states_.size() ? run_transform() : run_sink();
}

Driver::Progress Driver::pull_source() {
  if (run_->satisfied() || (between_morsels_ && run_->failed())) return Progress::Ended;
  waiting_for_ = run_->barrier_before(feed_);
  if (waiting_for_) return Progress::Suspended;
  Batch& out = batches_[0];
  Step step = call(*feed().source_metrics, [&] { return feed().source->next(*source_state_, out); });
  switch (step.kind) {
    case Step::Kind::HasOutput:
      out.morsel += run_->first_morsel(feed_);
      morsel_ = out.morsel;
      between_morsels_ = out.ends_morsel;
      if (feed().counts_source_rows) feed().source_metrics->count_output(out.num_selected());
      position_ = 1;
      return Progress::Moved;
    case Step::Kind::Suspended:
      // A morsel that it has taken counts, though a later one fails meanwhile.
      if (const int64_t taken = run_->first_morsel(feed_) + out.morsel; taken > morsel_) {
        morsel_ = taken;
        between_morsels_ = false;
      }
      waiting_for_ = std::move(step.event);
      return Progress::Suspended;
    case Step::Kind::Finished:
      return leave_feed();
    case Step::Kind::NeedsInput:
      break;
  }
  throw Error(ErrorKind::Internal, std::string(feed().source->name()) + " asks for input, but is a source");
}

Driver::Progress Driver::run_transform() {
  const size_t index = position_ - 1;
  const operators::CountedTransform& counted = feed().transforms[index];
  std::optional<Batch> out;
  Step step = call(*counted.metrics,
                   [&] { return counted.transform->process(*transform_states_[index], batches_[index], out); });
  if (step.kind == Step::Kind::Suspended) {
    waiting_for_ = std::move(step.event);
    return Progress::Suspended;
  }
  has_more_[index] = step.kind == Step::Kind::HasOutput;
  if (!has_more_[index]) batches_[index] = Batch();
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
  Step step = call(run_->sink_metrics(), [&] { return run_->sink().consume(*sink_state_, batches_.back()); });
  switch (step.kind) {
    case Step::Kind::Suspended:
      waiting_for_ = std::move(step.event);
      return Progress::Suspended;
    case Step::Kind::Finished:
      run_->satisfy();
      return Progress::Ended;
    case Step::Kind::NeedsInput:
      batches_.back() = Batch();
      go_upstream();
      return Progress::Moved;
    case Step::Kind::HasOutput:
      break;
  }
  throw Error(ErrorKind::Internal, std::string(run_->sink().name()) + " has output, but is a sink");
}

void Driver::go_upstream() {
  while (--position_ > 0 && !has_more_[position_ - 1]) {
  }
}

Driver::Progress Driver::combine() {
  Step step = call(run_->sink_metrics(), [&] { return run_->sink().combine(*sink_state_); });
  if (step.kind != Step::Kind::Suspended) return Progress::Ended;
  waiting_for_ = std::move(step.event);
  return Progress::Suspended;
}

void Driver::wait_for(const execution::EventPtr& event) {
  const bool at_source = position_ == 0 && !is_combining_;
  suspend(event, [run = run_, morsel = morsel_, at_source, between_morsels = between_morsels_] {
    return !run->wants(morsel) || (at_source && (run->satisfied() || (between_morsels && run->failed())));
  });
}

void Driver::end() {
  batches_.clear();
  source_state_.reset();
  transform_states_.clear();
  sink_state_.reset();
  std::exchange(run_, nullptr)->driver_ended();
  end_work();
}

}  // namespace accelerant::runtime
