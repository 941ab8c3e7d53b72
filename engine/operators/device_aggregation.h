#pragma once

#include "codegen/accelerator.h"
#include "codegen/fused_groups.h"
#include "device/encoded_batch.h"
#include "execution/context.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// What a device does of a pipeline that ends in groups.
struct DeviceGrouping {
  codegen::RowSteps steps;  ///< from the columns of files, before any filter, to keys and arguments
  int num_keys = 0;
  std::vector<codegen::GroupCall> calls;
  bool is_strict = false;  ///< the host may only do what no device can: rows in error
};

/// The groups that a device makes of row groups of one pipeline. What it does not take in, the host has to do: the
/// groups of both together are the result. Any thread; one at a time is at work.
class DeviceAggregation {
 public:
  /// @param accelerator lives as long as this
  DeviceAggregation(std::shared_ptr<codegen::Accelerator> accelerator, DeviceGrouping grouping,
                    const execution::OperatorContext& ctx);
  ~DeviceAggregation();

  /// Takes in a row group; false: nothing of it is taken in.
  /// @throws Error Resource naming the reason, where the host would have to do it and may not
  bool take_in(const device::EncodedBatch& batch);
  /// Returns the groups of all batches.
  std::vector<codegen::GroupPart> take();

 private:
  /// What became of a row group.
  enum class Outcome { Done, NotSound, NotReady, NoMemory, Refused };

  Outcome update(const device::EncodedBatch& batch);
  /// Says whether kernels can be launched; a strict query waits for them.
  bool is_ready(codegen::FusedGroups& groups) const;
  /// Returns the kernels for a batch's layouts; nullptr where there can be none.
  codegen::FusedGroups* groups_for(const device::EncodedBatch& batch);

  const std::shared_ptr<codegen::Accelerator> accelerator_;
  const DeviceGrouping grouping_;
  const execution::OperatorContext ctx_;

  std::mutex mutex_;
  std::unique_ptr<device::Stream> stream_;
  /// By the layouts of columns, each with groups of its own; nullptr where there are no kernels.
  std::map<std::vector<device::ColumnLayout>, std::unique_ptr<codegen::FusedGroups>> groups_;
};

}  // namespace accelerant::operators
