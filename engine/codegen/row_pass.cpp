#include "codegen/row_pass.h"

#include "device/primitives/compact.h"

namespace accelerant::codegen {

using device::DeviceBuffer;

int64_t bitmap_bytes(int64_t num_rows) {
  constexpr int64_t kWordBits = 32;
  return (num_rows + kWordBits - 1) / kWordBits * static_cast<int64_t>(sizeof(uint32_t));
}

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
  const DeviceBuffer kept(stream_, bitmap_bytes(batch_.num_rows), budget_);
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

int64_t RowPass::most_bytes(int64_t num_rows, bool has_filter) {
  // Each piece of memory is a multiple of its alignment.
  constexpr int64_t kPiece = device::Stream::kAlignmentBytes;
  if (!has_filter) return kPiece;
  return 4 * kPiece + bitmap_bytes(num_rows) + num_rows * static_cast<int64_t>(sizeof(int32_t)) +
         device::compact_workspace_bytes(num_rows);
}

}  // namespace accelerant::codegen
