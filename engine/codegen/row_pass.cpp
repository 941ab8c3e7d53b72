#include "codegen/row_pass.h"

#include "device/primitives/compact.h"

namespace accelerant::codegen {

using device::DeviceBuffer;

RowPass::RowPass(device::DeviceStream& stream, const device::DeviceBatch& batch)
    : stream_(stream), batch_(batch), outcome_(stream, sizeof(Outcome)), num_rows_(batch.num_rows) {
  stream_.fill(outcome_.as<void>(), 0, sizeof(Outcome));
}

device::MemoryBound RowPass::bound(const RowKernel* filter, int64_t num_rows) {
  device::MemoryBound bound;
  bound.add(sizeof(Outcome));
  if (filter == nullptr) return bound;
  bound.add(DeviceConstants::bytes_of(filter->constants));
  bound.add(device::bitmap_bytes(num_rows));
  bound.add(num_rows, sizeof(int32_t));
  bound.add(device::compact_workspace_bytes(num_rows));
  return bound;
}

bool RowPass::filter(const RowKernel& kernel, const device::KernelEntry& entry) {
  if (batch_.num_rows == 0) return true;
  const DeviceConstants constants(stream_, kernel.constants);
  const DeviceBuffer kept(stream_, device::bitmap_bytes(batch_.num_rows));
  rows_ = DeviceBuffer(stream_, batch_.num_rows * static_cast<int64_t>(sizeof(int32_t)));
  const DeviceBuffer workspace(stream_, device::compact_workspace_bytes(batch_.num_rows));
  const RowArguments rows = {batch_.num_rows, nullptr, kept.as<uint32_t>(), failed()};
  launch_rows(stream_, {kernel, entry, rows, batch_, {}, constants});
  device::compact(stream_, kept.as<const uint8_t>(), batch_.num_rows, rows_.as<int32_t>(),
                  &outcome_.as<Outcome>()->num_kept, workspace.as<void>());
  is_filtered_ = true;
  const Outcome outcome = read_outcome();
  num_rows_ = outcome.num_kept;
  return outcome.failed == 0;
}

RowPass::Outcome RowPass::read_outcome() {
  Outcome outcome;
  stream_.copy_to_host(&outcome, outcome_.as<void>(), sizeof outcome);
  stream_.synchronize();
  return outcome;
}

}  // namespace accelerant::codegen
