#include "device/primitives/reduce.h"

#include "device/kernels/list.h"
#include "device/launch.h"

#include <algorithm>

namespace accelerant::device {

namespace {

/// Enough for any GPU to be full; a thread takes more values where there are more.
constexpr int64_t kMostBlocks = 1024;
constexpr int64_t kThreads = 128;

int64_t num_blocks(int64_t num_values) {
  return std::clamp<int64_t>((num_values + kThreads - 1) / kThreads, 1, kMostBlocks);
}

template <class Combine>
void reduce_by(DeviceStream& stream, const int64_t* from, int64_t num_values, int64_t* to, int64_t* partial) {
  using Kernel = kernels::Reduce<Combine, kThreads>;
  const int64_t blocks = num_blocks(num_values);
  if (blocks == 1) return launch<Kernel>(stream, 1, {from, num_values, to});
  launch<Kernel>(stream, blocks, {from, num_values, partial});
  launch<Kernel>(stream, 1, {partial, blocks, to});
}

template <class Combine>
int64_t combine_all(std::span<const int64_t> values) {
  int64_t result = Combine::identity();
  for (const int64_t value : values) result = Combine{}(result, value);
  return result;
}

}  // namespace

int64_t reduce_workspace_bytes(int64_t num_values) {
  return num_blocks(num_values) * static_cast<int64_t>(sizeof(int64_t));
}

void reduce(DeviceStream& stream, Reduction reduction, const int64_t* from, int64_t num_values, int64_t* to,
            void* workspace) {
  auto* partial = static_cast<int64_t*>(workspace);
  switch (reduction) {
    case Reduction::Sum:
      return reduce_by<kernels::Sum>(stream, from, num_values, to, partial);
    case Reduction::Minimum:
      return reduce_by<kernels::Minimum>(stream, from, num_values, to, partial);
    case Reduction::Maximum:
      return reduce_by<kernels::Maximum>(stream, from, num_values, to, partial);
  }
}

int64_t reduce_on_host(Reduction reduction, std::span<const int64_t> values) {
  switch (reduction) {
    case Reduction::Sum:
      return combine_all<kernels::Sum>(values);
    case Reduction::Minimum:
      return combine_all<kernels::Minimum>(values);
    case Reduction::Maximum:
      return combine_all<kernels::Maximum>(values);
  }
  return 0;
}

}  // namespace accelerant::device
