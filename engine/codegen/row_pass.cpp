#include "codegen/row_pass.h"

#include "device/primitives/compact.h"

namespace accelerant::codegen {

using device::DeviceBuffer;

RowPass::RowPass(device::Stream& stream, const device::DeviceBatch& batch,
                 const std::shared_ptr<memory::Budget>& budget)
    : stream_(stream),
      batch_(batch),
      budget_(budget),
      outcome_(stream, sizeof(Outcome), budget),
      num_rows_(batch.num_rows) {
  stream_.fill(outcome_.as<void>(), 0, sizeof(Outcome));
}

bool RowPass::filter(const RowKernel& kernel, const device::KernelEntry& entry) {
  if (batch_.num_rows == 0) return true;
  const DeviceConstants constants(stream_, kernel.constants, budget_);
  const DeviceBuffer kept(stream_, device::bitmap_bytes(batch_.num_rows), budget_);
  rows_ = DeviceBuffer(stream_, batch_.num_rows * static_cast<int64_t>(sizeof(int32_t)), budget_);
  const DeviceBuffer workspace(stream_, device::compact_workspace_bytes(batch_.num_rows), budget_);
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
