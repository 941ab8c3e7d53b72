#pragma once

#include "base/error.h"
#include "codegen/accelerator.h"
#include "codegen/row_steps.h"
#include "columns/batch.h"
#include "device/encoded_batch.h"
#include "execution/context.h"
#include "execution/event.h"
#include "execution/gate.h"
#include "memory/buffer.h"
#include "operators/device_worker.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace accelerant::operators {

/// Counters of the nodes whose work a device does. They belong to the query.
struct DeviceCounters {
  execution::Metrics* scan = nullptr;
  std::vector<execution::Metrics*> before_filters;  ///< of nodes that emit all rows
  std::vector<execution::Metrics*> after_filters;   ///< of nodes that emit the rows that are kept

  /// Adds row groups that were taken in; less than 0 rows: some had to be given up.
  void count_read(int64_t rows) const;
  void count_kept(int64_t rows) const;
};

/// What became of a row group that a device was to take in.
struct Intake {
  enum class Kind : uint8_t {
    Taken,
    Left,     ///< to the host; nothing of it is taken in
    Waiting,  ///< nothing happened: ask again with the same row group when `event` has fired
  };
  Kind kind;
  execution::EventPtr event = nullptr;
};

/// Kernels for row groups whose columns have certain layouts, with what they keep on the device.
class DeviceKernels {
 public:
  virtual ~DeviceKernels() = default;
  /// Says whether they can be launched yet.
  /// @throws Error where there is no machine code for them
  virtual bool ready() = 0;
  /// Takes in a batch, and leaves in `made` the rows that it makes, where it makes rows. False where a row is in error:
  /// nothing is taken in. One thread at a time where something is left on the device.
  /// @throws Error Resource where the budget or the device has no room, or memory::MemoryWait: nothing is taken in
  virtual bool take_in(device::DeviceStream& stream, const device::DeviceBatch& batch, columns::Batch& made) = 0;
};

/// What a device does of the row groups of one pipeline. What it does not take in, the host has to do. Any thread.
class DevicePipeline {
 public:
  /// @param accelerator lives as long as this
  /// @param steps from the columns of files, before any filter
  /// @param is_strict the host may only do what no device can: rows in error, damaged pages
  DevicePipeline(std::shared_ptr<codegen::Accelerator> accelerator, codegen::RowSteps steps, DeviceCounters counters,
                 bool is_strict, const execution::OperatorContext& ctx);
  virtual ~DevicePipeline();
  DevicePipeline(const DevicePipeline&) = delete;
  DevicePipeline& operator=(const DevicePipeline&) = delete;

  std::unique_ptr<DeviceWorker> make_worker();
  /// Returns what gives memory for row groups that the device copies fastest. It may outlive the pipeline.
  memory::AllocateBuffer host_memory() const;
  /// Takes in a row group, and leaves in `made` the rows that it makes, where the pipeline ends in rows. Never waits
  /// for kernels that are compiled, nor for what other workers are at.
  /// @throws Error Resource naming the reason, where the host would have to do it and may not
  /// @throws memory::MemoryWait having taken in nothing: the worker holds neither a place nor what it has decoded
  Intake take_in(DeviceWorker& worker, const device::EncodedBatch& batch, columns::Batch& made);
  /// Brings home what is left on the device; nothing is taken in any more, and no worker is at work. Returns the
  /// morsels that the host has to do again, as the device lost them.
  std::vector<int64_t> complete();

 protected:
  /// Makes kernels for input columns of certain layouts.
  /// @throws Error Unsupported where there can be none
  virtual std::unique_ptr<DeviceKernels> make_kernels(const codegen::RowSteps& steps) = 0;
  /// Says whether row groups leave something on the device.
  virtual bool keeps_state() const { return false; }
  /// Takes home what they have left. A failure leaves nothing that counts.
  virtual void bring_home(device::DeviceStream&) {}
  /// Gives up what was taken in.
  virtual void forget() {}

  codegen::Accelerator& accelerator() const { return *accelerator_; }
  const execution::OperatorContext& context() const { return ctx_; }
  const DeviceCounters& counters() const { return counters_; }

 private:
  /// Nullptr where there are none.
  struct Kernels {
    std::unique_ptr<DeviceKernels> made;
    std::string refusal = {};
  };
  /// What became of a row group.
  struct Outcome {
    enum class Kind { Done, NotSound, NotReady, NoRoom, Refused, Waiting };
    Kind kind;
    std::string reason = {};
    execution::EventPtr event = nullptr;  ///< of what is waited for
  };

  /// Takes in a row group beside others; alone where there is no room for all of them.
  Outcome attempt(DeviceWorker& worker, const device::EncodedBatch& batch, columns::Batch& made);
  Outcome attempt_once(DeviceKernels& kernels, DeviceWorker& worker, const device::EncodedBatch& batch,
                       columns::Batch& made);
  /// Decodes a row group, and makes rows of it or adds it to what is left on the device.
  Outcome run(DeviceKernels& kernels, DeviceWorker& worker, const device::EncodedBatch& batch, columns::Batch& made);
  /// Returns kernels that can be launched, for which a strict query waits, or what becomes of the row group instead.
  std::variant<DeviceKernels*, Outcome> ready_kernels(const device::EncodedBatch& batch);
  Kernels& kernels_for(const device::EncodedBatch& batch);
  /// Uses the device no more.
  void give_up(const Error& error);

  const std::shared_ptr<codegen::Accelerator> accelerator_;
  const codegen::RowSteps steps_;
  const DeviceCounters counters_;
  const bool is_strict_;
  const execution::OperatorContext ctx_;

  std::atomic<int> num_workers_{0};
  execution::Gate at_work_;  ///< passed alone by who needs all room
  execution::Gate state_;    ///< passed alone by who uses what is left on the device, and its stream
  std::unique_ptr<device::DeviceStream> stream_;
  std::mutex mutex_;  ///< of all that follows
  std::map<std::vector<device::ColumnLayout>, Kernels> kernels_;
  std::vector<int64_t> taken_;  ///< morsels that have left something on the device
  int64_t rows_taken_ = 0;      ///< of those
  std::optional<std::string> failure_;
};

}  // namespace accelerant::operators
