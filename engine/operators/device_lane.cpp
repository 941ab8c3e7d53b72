#include "operators/device_lane.h"

namespace accelerant::operators {

DeviceLane::~DeviceLane() {
  finish();
  const auto turn = accelerator_->take_turn();
  stream_.reset();
}

void DeviceLane::want_alone() {
  finish();
  wants_alone_ = true;
}

void DeviceLane::finish() {
  if (decoded_) {
    const auto turn = accelerator_->take_turn();
    decoded_.reset();
  }
  wants_alone_ = false;
  state_.leave();
  at_work_.leave();
}

device::DeviceStream& DeviceLane::stream(const std::shared_ptr<memory::Budget>& budget) {
  if (!stream_) stream_ = accelerator_->device().create_stream(budget);
  return *stream_;
}

const device::DeviceBatch* DeviceLane::decode(const device::EncodedBatch& batch,
                                              const std::shared_ptr<memory::Budget>& budget) {
  if (!decoded_) decoded_ = device::decode(stream(budget), batch, budget);
  return decoded_ ? &*decoded_ : nullptr;
}

}  // namespace accelerant::operators
