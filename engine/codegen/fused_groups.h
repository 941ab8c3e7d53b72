#pragma once

#include "aggregates/function.h"
#include "codegen/kernel_compiler.h"
#include "codegen/row_steps.h"
#include "device/device_batch.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::codegen {

/// One aggregate over the columns that the last step makes.
struct GroupCall {
  aggregates::Call call;       ///< its states have words
  std::vector<int> arguments;  ///< positions of the columns

  const aggregates::SharedForm& form() const { return call.overload->variant_of(call).shared; }

  friend bool operator==(const GroupCall&, const GroupCall&) = default;
};

/// The groups that rows came to, on the host: states can be merged with others of the same keys.
struct GroupPart {
  int64_t num_groups = 0;
  std::vector<columns::ColumnPtr> keys;  ///< a row a group; flat, or a dictionary column; of the keys' types
  std::vector<int64_t> num_rows;         ///< of each group; one of no rows is none
  /// By call: the words of a state a group, as if arguments could be null, so that all say how many values there were,
  /// or whether there was one.
  std::vector<std::vector<uint64_t>> states;
  memory::Reservation reservation;  ///< of what `num_rows` and `states` take
};

/// Steps that end in groups: one kernel that filters, computes and updates the states of few groups, which a block
/// keeps in shared memory; where keys have many values, the rows' keys and arguments are made first, and grouped by a
/// table that stays on the device from batch to batch.
class FusedGroups {
 public:
  /// @param steps not refused; the first `num_keys` columns that the last step makes are the keys
  /// @param calls not refused
  /// @param compiler outlives this
  FusedGroups(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls, KernelCompiler& compiler);
  ~FusedGroups();

  /// Says in a few words why keys and calls of these types cannot be done on a device; nullopt where they can.
  static std::optional<std::string> refusal_of(const RowSteps& steps, int num_keys,
                                               const std::vector<GroupCall>& calls);

  /// Says whether the kernels can be launched yet.
  bool ready();
  /// Takes in the rows of a batch. False where some row is in error: nothing is taken in, the host has to do the batch.
  /// Waits for the stream.
  /// @throws Error Resource where the budget or the device has no room; nothing is taken in
  bool update(device::DeviceStream& stream, const device::DeviceBatch& batch,
              const std::shared_ptr<memory::Budget>& budget);
  /// Returns the groups of all batches since it was called last, in parts in which a key may stand more than once
  /// altogether. Waits for the stream.
  /// @throws Error Resource where the budget has no room; nothing is taken, and nothing lost
  std::vector<GroupPart> take(device::DeviceStream& stream, const std::shared_ptr<memory::Budget>& budget);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace accelerant::codegen
