#include "device/stream.h"

#include "base/error.h"

namespace accelerant::device {

void* DeviceStream::allocate(int64_t bytes) {
  const int64_t taken = allocated_bytes(bytes);
  const bool is_reserved = taken <= ahead_.bytes();
  if (is_bounded_ && !is_reserved) exceed_bound();
  return allocate_reserved(bytes, is_reserved ? ahead_.split(taken) : memory::Reservation(budget_, taken));
}

StreamReservation::StreamReservation(DeviceStream& stream, const MemoryBound& bound) : stream_(stream) {
  ACC_CHECK(!stream_.is_bounded_);
  stream_.ahead_ = memory::Reservation(stream_.budget_, bound.bytes());
  stream_.is_bounded_ = true;
}

StreamReservation::~StreamReservation() {
  stream_.ahead_ = {};
  stream_.is_bounded_ = false;
}

}  // namespace accelerant::device
