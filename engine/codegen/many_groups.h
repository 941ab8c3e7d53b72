#pragma once

#include "codegen/group_kernel.h"
#include "codegen/group_parts.h"
#include "codegen/row_pass.h"
#include "device/device_batch.h"
#include "device/primitives/group_rows.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::codegen {

/// A table of groups and their states that stays on a device and grows. Of one stream, which outlives it.
class DeviceGroups {
 public:
  /// @param shape outlives this
  explicit DeviceGroups(const GroupShape& shape) : shape_(shape) {}

  /// Takes in rows.
  /// @param updates make_group_updates_kernel, compiled
  /// @param words of the rows' keys, in device memory
  /// @param inputs one a call, in device memory
  /// @throws Error Resource where the budget or the device has no room; nothing is taken in
  void update(device::DeviceStream& stream, const device::KernelEntry& updates, const device::GroupKeys& words,
              std::span<const OutputView> inputs);
  /// Returns the groups and forgets them; nullopt: there are none. Waits for the stream.
  std::optional<GroupPart> take(device::DeviceStream& stream, std::span<const KeyDictionary> dictionaries,
                                const std::shared_ptr<memory::Budget>& budget);

 private:
  /// The table's memory and, by call, the groups' states; the numbers of rows come first.
  struct Memory {
    device::DeviceGroupTable table{};
    device::DeviceBuffer table_memory;
    std::vector<device::DeviceBuffer> states;
  };

  int32_t state_words(size_t state) const;
  int64_t state_bytes(size_t state, int64_t num_groups) const;
  int64_t state_bytes_of_all(int64_t num_groups) const;
  /// Returns what a table and states take.
  device::MemoryBound table_bound(int64_t max_groups) const;
  /// Returns what `update` allocates: 4 bytes a row, and the first table. One that is full makes room for a larger one.
  device::MemoryBound bound(int64_t num_rows) const;
  Memory allocate(device::DeviceStream& stream, int64_t max_groups) const;
  void grow(device::DeviceStream& stream);
  int64_t read_num_groups(device::DeviceStream& stream) const;

  const GroupShape& shape_;
  std::optional<Memory> memory_;
};

/// The groups of batches whose keys may have many values.
class ManyGroups {
 public:
  /// @param shape outlives this
  ManyGroups(const RowSteps& steps, const GroupShape& shape);

  /// A kernel that finds the rows that are kept; nullopt: all are.
  const std::optional<RowKernel>& filter() const { return filter_; }
  const RowKernel& inputs() const { return inputs_; }
  const KernelText& updates() const { return updates_; }

  /// The kernels, compiled.
  struct Entries {
    const device::KernelEntry* filter;
    const device::KernelEntry* inputs;
    const device::KernelEntry* updates;
  };

  /// Takes in the rows of a batch; false where a row is in error. Waits for the stream.
  bool update(device::DeviceStream& stream, const Entries& entries, const device::DeviceBatch& batch,
              const std::shared_ptr<memory::Budget>& budget);
  std::optional<GroupPart> take(device::DeviceStream& stream, const std::shared_ptr<memory::Budget>& budget) {
    return groups_.take(stream, dictionaries_, budget);
  }

 private:
  int64_t input_bytes(size_t output, int64_t num_rows) const;
  /// Returns what keys and inputs of rows take: up to 16 bytes and a bit a row for each, 4 an entry of a dictionary.
  device::MemoryBound inputs_bound(const device::DeviceBatch& batch, int64_t num_rows) const;

  const GroupShape& shape_;
  std::optional<RowKernel> filter_;
  RowKernel inputs_;
  KernelText updates_;
  DeviceGroups groups_;
  std::vector<KeyDictionary> dictionaries_;  ///< one a key, used for strings
};

}  // namespace accelerant::codegen
