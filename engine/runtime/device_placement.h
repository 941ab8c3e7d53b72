#pragma once

#include "codegen/accelerator.h"
#include "execution/device_choice.h"
#include "planner/device_costs.h"
#include "planner/device_stages.h"
#include "planner/operators.h"
#include "runtime/pipeline.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

namespace accelerant::runtime {

class Query;

struct RunOptions;

/// Where something of a plan runs, for people, e.g. "on a device: emulator" or "on the host: stddev".
struct PlacementNote {
  int plan_node;  ///< of the last that runs there, its index in the plan message
  std::string text;
};

/// Where the pipelines of one query run. Any thread.
class DevicePlacement {
 public:
  /// Opens a device, or says why there is none.
  using Opener = std::function<std::variant<std::shared_ptr<codegen::Accelerator>, codegen::Unavailable>()>;

  explicit DevicePlacement(const RunOptions& options);
  /// Takes another device than the one that the options name.
  DevicePlacement(const RunOptions& options, Opener opener);

  /// Says whether anything may run on a device. Opens the GPU where only it tells.
  bool is_wanted();
  /// Says where what a device could run of a stage by its shape would run.
  /// @param tables that the plan reads; nullptr: not opened, what pipelines cost is not known
  std::vector<PlacementNote> describe(const planner::Stage& stage, const planner::Tables* tables);
  /// Puts a device before the sources of a stage's pipeline, where one is to run what follows them.
  /// @throws Error Resource naming the reason where a strict query asks for a device, and has none for it
  void place(const Query& query, const planner::Stage& stage, const planner::Results& results,
             const execution::Cancellation& cancellation, Pipeline& pipeline);

 private:
  /// A device, or why there is none.
  struct Found {
    std::shared_ptr<codegen::Accelerator> device;
    std::string reason;
  };
  /// What was chosen for a pipeline.
  struct Choice {
    bool is_device = true;
    std::string text;  ///< for people
  };

  bool is_forced() const { return choice_ != execution::DeviceChoice::Auto; }
  /// Leaves something to the host, unless the query is strict.
  void refuse(const std::string& reason) const;
  Found find();
  /// Chooses between the device and the host.
  Choice choose(codegen::Accelerator& device, const planner::PipelineWork& work) const;
  /// Chooses for a stage with what a device does of it, or for a feed likewise.
  template <class Pipeline, class Planned>
  Choice choose_for(const Found& found, const Pipeline& pipeline, const Planned& planned,
                    const planner::Tables* tables) const;
  PlacementNote describe_feed(const Found& found, const planner::Feed& feed, const planner::Tables* tables) const;
  void place_feed(const Found& found, const planner::Feed& feed, const planner::Tables& tables,
                  const execution::OperatorContext& ctx, PipelineFeed& made) const;

  const execution::DeviceChoice choice_;
  const bool is_strict_;
  const int num_threads_;
  const Opener open_;
  std::mutex mutex_;
  std::shared_ptr<codegen::Accelerator> accelerator_;
};

}  // namespace accelerant::runtime
