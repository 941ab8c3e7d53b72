#include "runtime/finish_driver.h"

#include "execution/step_timer.h"

#include <utility>

namespace accelerant::runtime {

FinishDriver::FinishDriver(std::shared_ptr<PipelineRun> run, bool finishes, uint64_t seed)
    : ResumableTask(run->scheduler(), run->participant()),
      run_(std::move(run)),
      finishes_(finishes),
      task_(finishes ? -1 : run_->take_finish_task()),
      attempts_(seed, participant()) {}

bool FinishDriver::run_slice() {
  try {
    run_->cancellation().check();
    const operators::Step made = attempts_.make([this] { return step(); });
    if (made.kind != operators::Step::Kind::Suspended) return go_on();
    // The cancellation may be gone then, with who waited for the run.
    suspend(made.event, [run = run_] { return run->stopped(); });
    return false;
  } catch (...) {
    run_->fail_finish(std::current_exception());
    return end();
  }
}

operators::Step FinishDriver::step() {
  operators::Sink& sink = run_->sink();
  if (!finishes_ && task_ >= sink.num_finish_tasks()) return operators::Step::finished();
  const execution::StepTimer timer(run_->sink_metrics());
  return finishes_ ? sink.finish() : sink.run_finish_task(task_);
}

bool FinishDriver::go_on() {
  if (std::exchange(finishes_, false)) run_->start_finish_tasks();
  task_ = run_->take_finish_task();
  return task_ < run_->sink().num_finish_tasks() || end();
}

bool FinishDriver::end() {
  std::exchange(run_, nullptr)->finish_driver_ended();
  end_work();
  return false;
}

}  // namespace accelerant::runtime
