#pragma once

#include "codegen/accelerator.h"
#include "execution/device_choice.h"
#include "planner/device_costs.h"
#include "planner/device_stages.h"
#include "planner/estimates.h"
#include "planner/physical_plan.h"

#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace accelerant::planner {

/// What a query says of where it wants to run.
struct PlacementOptions {
  execution::DeviceChoice device = execution::DeviceChoice::Cpu;
  bool is_strict = false;  ///< what could run on the device that it asks for by name, and does not, fails
  int num_threads = 1;     ///< of the host

  friend bool operator==(const PlacementOptions&, const PlacementOptions&) = default;
};

/// A device, or why there is none.
using OpenedDevice = std::variant<std::shared_ptr<codegen::Accelerator>, codegen::Unavailable>;

/// Opens the device that a query asks for: the emulator, which is its own then, or the process's GPU.
OpenedDevice open_device(execution::DeviceChoice choice);

/// Decides where the pipelines of a query run. One thread at a time.
class DevicePlacement {
 public:
  using Opener = std::function<OpenedDevice()>;

  explicit DevicePlacement(const PlacementOptions& options);
  /// Takes another device than the one that the options name.
  DevicePlacement(const PlacementOptions& options, Opener opener);

  /// Says whether anything may run on a device. Opens the GPU where only it tells.
  bool is_wanted();
  /// Decides what a device does of a stage, with notes on what it could by its shape, and, where the query is strict,
  /// what the stage fails with.
  /// @param tables that the plan reads; nullptr: not opened, what pipelines cost is not known
  void place(Stage& stage, const Tables* tables);

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

  bool is_forced() const { return options_.device != execution::DeviceChoice::Auto; }
  Found find();
  /// Leaves something to the host, which a strict query does not stand for. Returns what people are told.
  std::string refuse(Stage& stage, const std::string& reason) const;
  /// Chooses between the device and the host for a stage with what a device does of it, or for a feed likewise.
  template <class Pipeline, class Planned>
  Choice choose(codegen::Accelerator& device, const Pipeline& pipeline, const Planned& planned,
                const Tables* tables) const;
  /// Returns whether the rows of a stage stay on the device to its end, or where they are for other reasons than that
  /// a device can't have them: then the feeds are not asked.
  bool place_grouping(const Found& found, Stage& stage, const Tables* tables) const;
  void place_feed(const Found& found, Stage& stage, Feed& feed, const Tables* tables) const;

  const PlacementOptions options_;
  const Opener open_;
  std::shared_ptr<codegen::Accelerator> accelerator_;
};

}  // namespace accelerant::planner
