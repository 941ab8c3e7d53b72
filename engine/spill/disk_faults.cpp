#include "spill/disk_faults.h"

#include "base/error.h"

#include <mutex>

namespace accelerant::spill {

namespace {

struct Counting {
  std::mutex mutex;
  DiskFaults* faults = nullptr;
};

Counting& counting() {
  static auto* instance = new Counting;
  return *instance;
}

}  // namespace

std::atomic<bool> DiskFaults::has_counter{false};

DiskFaults::DiskFaults(const Fault& fault) : fault_(fault) {
  const std::lock_guard lock(counting().mutex);
  ACC_CHECK(!counting().faults);
  counting().faults = this;
  has_counter = true;
}

DiskFaults::~DiskFaults() {
  const std::lock_guard lock(counting().mutex);
  has_counter = false;
  counting().faults = nullptr;
}

bool DiskFaults::finds_full() {
  const std::lock_guard lock(counting().mutex);
  DiskFaults* const self = counting().faults;
  if (!self) return false;
  const int64_t write = self->num_writes_++;
  const bool is_full = self->fault_.full_from_write >= 0 && write >= self->fault_.full_from_write;
  self->num_struck_ += is_full;
  return is_full;
}

void DiskFaults::note_read(uint8_t* bytes, int64_t num_bytes) {
  const std::lock_guard lock(counting().mutex);
  DiskFaults* const self = counting().faults;
  if (!self || self->num_reads_++ != self->fault_.flipped_read) return;
  bytes[num_bytes / 2] ^= 1;
  ++self->num_struck_;
}

}  // namespace accelerant::spill
