#pragma once

#include "codegen/accelerator.h"
#include "device/device_batch.h"
#include "device/encoded_batch.h"
#include "execution/gate.h"
#include "memory/budget.h"

#include <memory>
#include <optional>

namespace accelerant::operators {

/// What one worker brings row groups to a device with: a stream of its own, so that one's are copied while another's
/// are worked on, and its place among the workers of a pipeline. One thread at a time.
class DeviceWorker {
 public:
  /// @param at_work passed beside others, or alone by who needs all room; outlives it, as `state` does
  /// @param state passed alone by who uses what is left on the device
  DeviceWorker(std::shared_ptr<codegen::Accelerator> accelerator, execution::Gate& at_work, execution::Gate& state)
      : accelerator_(std::move(accelerator)), at_work_(at_work), state_(state) {}
  DeviceWorker(const DeviceWorker&) = delete;
  DeviceWorker& operator=(const DeviceWorker&) = delete;
  ~DeviceWorker();

  /// Takes a place among those at work, alone after `want_alone`. Returns nullptr, or what to wait for.
  execution::EventPtr begin() { return wants_alone_ ? at_work_.enter_alone() : at_work_.enter(); }
  /// Takes what is left on the device for itself, likewise.
  execution::EventPtr take_state() { return state_.enter_alone(); }
  /// Gives up what it has of a row group, to begin with it again while nobody else is at work.
  void want_alone();
  bool wants_alone() const { return wants_alone_; }
  /// Gives up what it has of a row group: it is through with it.
  void finish();

  /// Returns the stream, for who has the device's turn.
  device::DeviceStream& stream(const std::shared_ptr<memory::Budget>& budget);
  /// Decodes the row group at hand, unless that was done before; nullptr where it is damaged. For who has the turn.
  const device::DeviceBatch* decode(const device::EncodedBatch& batch, const std::shared_ptr<memory::Budget>& budget);

 private:
  const std::shared_ptr<codegen::Accelerator> accelerator_;
  execution::Gate::Pass at_work_;
  execution::Gate::Pass state_;
  bool wants_alone_ = false;
  std::unique_ptr<device::DeviceStream> stream_;
  std::optional<device::DeviceBatch> decoded_;
};

}  // namespace accelerant::operators
