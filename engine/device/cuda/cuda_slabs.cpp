#include "device/cuda/cuda_slabs.h"

namespace accelerant::device::cuda {

void* CudaSlabs::allocate(int64_t bytes) noexcept {
  context_->try_make_current();
  void* slab = nullptr;
  const Status status = context_->functions().allocate_on_host.attempt(&slab, static_cast<size_t>(bytes), 0);
  return status == 0 ? slab : nullptr;
}

// What fails here has failed before: the driver takes back all that it gave when the process ends.
void CudaSlabs::free(void* slab, int64_t) noexcept {
  context_->try_make_current();
  context_->functions().free_on_host.attempt(slab);
}

}  // namespace accelerant::device::cuda
