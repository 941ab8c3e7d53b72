#pragma once

#include "device/stream.h"

#include <cstdint>
#include <span>

namespace accelerant::device {

/// How values are combined to one.
enum class Reduction {
  Sum,      ///< modulo 2^64; 0 of nothing
  Minimum,  ///< the largest int64 of nothing
  Maximum,  ///< the smallest int64 of nothing
};

/// Returns the bytes of workspace that `reduce` needs.
int64_t reduce_workspace_bytes(int64_t num_values);

/// Enqueues: *to = the reduction of `num_values` values. `from`, `to` and `workspace` are device memory; `from` may be
/// null where there are no values. Values under nulls count as any other.
void reduce(DeviceStream& stream, Reduction reduction, const int64_t* from, int64_t num_values, int64_t* to,
            void* workspace);

/// Does the same on the host, as plainly as can be.
int64_t reduce_on_host(Reduction reduction, std::span<const int64_t> values);

}  // namespace accelerant::device
