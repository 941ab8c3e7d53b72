#include "operators/device_worker.h"

namespace accelerant::operators {

DeviceWorker::~DeviceWorker() {
  finish();
  const auto turn = accelerator_->take_turn();
  stream_.reset();
}

void DeviceWorker::want_alone() {
  finish();
  wants_alone_ = true;
}

void DeviceWorker::finish() {
  if (decoded_) {
    const auto turn = accelerator_->take_turn();
    decoded_.reset();
  }
  wants_alone_ = false;
  state_.leave();
  at_work_.leave();
}

device::DeviceStream& DeviceWorker::stream(const std::shared_ptr<memory::Budget>& budget) {
  if (!stream_) stream_ = accelerator_->device().create_stream(budget);
  return *stream_;
}

const device::DeviceBatch* DeviceWorker::decode(const device::EncodedBatch& batch,
                                                const std::shared_ptr<memory::Budget>& budget) {
  if (!decoded_) decoded_ = device::decode(stream(budget), batch, budget);
  return decoded_ ? &*decoded_ : nullptr;
}

}  // namespace accelerant::operators
