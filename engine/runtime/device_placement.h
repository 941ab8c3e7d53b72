#pragma once

#include "codegen/accelerator.h"
#include "execution/device_choice.h"
#include "operators/operator.h"
#include "planner/device_stages.h"
#include "runtime/pipeline.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace accelerant::runtime {

/// Where the pipelines of one query run. Any thread.
class DevicePlacement {
 public:
  /// @param is_strict what could run on a device by its shape, and does not, fails
  DevicePlacement(execution::DeviceChoice choice, bool is_strict) : choice_(choice), is_strict_(is_strict) {}

  /// Says where a stage would run, for people, e.g. "on a device: emulator" or "on the host: stddev"; nullopt where no
  /// device was asked for, or could run a stage of this kind.
  std::optional<std::string> describe(const planner::Stage& stage);
  /// Puts a device before the source of a stage's pipeline, where one is to run it.
  /// @param breaker what ends the stage
  /// @param ctx the breaker's
  /// @throws Error Resource naming the reason where a strict query has no device for it
  void place(const planner::Stage& stage, const std::shared_ptr<operators::Breaker>& breaker,
             const execution::OperatorContext& ctx, Pipeline& pipeline);

 private:
  bool asks_for_device() const {
    return choice_ == execution::DeviceChoice::Gpu || choice_ == execution::DeviceChoice::Emulator;
  }
  /// Leaves a pipeline to the host, unless the query is strict.
  void refuse(const std::string& reason) const;
  /// Returns the device; nullptr where there is none, which `reason` says in one line then.
  std::shared_ptr<codegen::Accelerator> accelerator(std::string& reason);

  const execution::DeviceChoice choice_;
  const bool is_strict_;
  std::mutex mutex_;
  std::shared_ptr<codegen::Accelerator> accelerator_;
};

}  // namespace accelerant::runtime
