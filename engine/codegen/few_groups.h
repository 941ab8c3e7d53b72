#pragma once

#include "codegen/group_kernel.h"
#include "codegen/group_parts.h"
#include "device/device_batch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::codegen {

/// The groups of batches whose keys have few values: one kernel a batch, whose result is read at once.
class FewGroups {
 public:
  /// @param shape of small domain; outlives this
  FewGroups(const RowSteps& steps, const GroupShape& shape);

  const RowKernel& kernel() const { return kernel_; }
  /// Returns what the codes of a batch's keys count; nullopt where there are more groups than a block has states for.
  std::optional<std::vector<KeyDomain>> domains_of(const device::DeviceBatch& batch) const;
  /// Returns the groups of a batch; nullopt where a row is in error. Waits for the stream.
  std::optional<GroupPart> run(device::DeviceStream& stream, const device::KernelEntry& entry,
                               const device::DeviceBatch& batch, const std::vector<KeyDomain>& domains,
                               const std::shared_ptr<memory::Budget>& budget) const;

 private:
  GroupPart part_of(const std::vector<uint64_t>& states, const std::vector<KeyDomain>& domains,
                    const std::shared_ptr<memory::Budget>& budget) const;

  const GroupShape& shape_;
  const RowKernel kernel_;
};

}  // namespace accelerant::codegen
