#pragma once

#include "codegen/accelerator.h"
#include "execution/device_choice.h"
#include "planner/device_stages.h"
#include "planner/operators.h"
#include "runtime/pipeline.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accelerant::runtime {

class Query;

/// Where something of a plan runs, for people, e.g. "on a device: emulator" or "on the host: stddev".
struct PlacementNote {
  const plan::Node* node;  ///< the last that runs there
  std::string text;
};

/// Where the pipelines of one query run. Any thread.
class DevicePlacement {
 public:
  /// @param is_strict what could run on a device by its shape, and does not, fails
  DevicePlacement(execution::DeviceChoice choice, bool is_strict) : choice_(choice), is_strict_(is_strict) {}

  /// Says where what a device could run of a stage by its shape would run; nothing where no device was asked for.
  std::vector<PlacementNote> describe(const planner::Stage& stage);
  /// Puts a device before the sources of a stage's pipeline, where one is to run what follows them.
  /// @throws Error Resource naming the reason where a strict query has no device for it
  void place(const Query& query, const planner::Stage& stage, const planner::Results& results,
             const execution::Cancellation& cancellation, Pipeline& pipeline);

 private:
  bool asks_for_device() const {
    return choice_ == execution::DeviceChoice::Gpu || choice_ == execution::DeviceChoice::Emulator;
  }
  /// Leaves something to the host, unless the query is strict.
  void refuse(const std::string& reason) const;
  /// Returns the device; nullptr where there is none, which `reason` says in one line then.
  std::shared_ptr<codegen::Accelerator> accelerator(std::string& reason);
  void place_feed(const std::shared_ptr<codegen::Accelerator>& device, const planner::Feed& feed,
                  const execution::OperatorContext& ctx, PipelineFeed& made) const;

  const execution::DeviceChoice choice_;
  const bool is_strict_;
  std::mutex mutex_;
  std::shared_ptr<codegen::Accelerator> accelerator_;
};

}  // namespace accelerant::runtime
