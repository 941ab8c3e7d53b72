#include "operators/device_rows.h"

#include "codegen/fused_rows.h"

namespace accelerant::operators {

class DeviceRows::Kernels final : public DeviceKernels {
 public:
  Kernels(const DeviceRows& owner, const codegen::RowSteps& steps)
      : owner_(owner), rows_(steps, owner.accelerator().compiler()) {}

  bool ready() override { return rows_.ready(); }
  bool take_in(device::DeviceStream& stream, const device::DeviceBatch& batch, columns::Batch& made) override {
    const auto kept = rows_.run(stream, batch);
    if (!kept) return false;
    made = device::download(stream, *kept, owner_.context().budget);
    owner_.counters().count_kept(made.num_rows);
    return true;
  }

 private:
  const DeviceRows& owner_;
  codegen::FusedRows rows_;
};

std::unique_ptr<DeviceKernels> DeviceRows::make_kernels(const codegen::RowSteps& steps) {
  return std::make_unique<Kernels>(*this, steps);
}

}  // namespace accelerant::operators
