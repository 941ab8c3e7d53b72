#pragma once

#include "device/cuda/cuda_context.h"
#include "device/pinned_memory.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::device::cuda {

/// Host memory that the driver locks in place.
class CudaSlabs final : public SlabSource {
 public:
  explicit CudaSlabs(std::shared_ptr<const CudaContext> context) : context_(std::move(context)) {}

  [[nodiscard]] void* allocate(int64_t bytes) noexcept override;
  void free(void* slab, int64_t bytes) noexcept override;

 private:
  const std::shared_ptr<const CudaContext> context_;
};

}  // namespace accelerant::device::cuda
