#pragma once

#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

/// Returns the bytes of workspace that `exclusive_scan` needs.
int64_t exclusive_scan_workspace_bytes(int64_t num_values);

/// Enqueues: to[i] = the sum of the values before value i, for i from 0 to `num_values`; to[num_values] is the sum of
/// all: offsets from sizes. Sums are modulo 2^64. `from`, `to` (num_values + 1) and `workspace` are device memory;
/// `from` may be null where there are no values.
template <class Value>
void exclusive_scan(DeviceStream& stream, const Value* from, int64_t num_values, int64_t* to, void* workspace);
extern template void exclusive_scan(DeviceStream&, const int32_t*, int64_t, int64_t*, void*);
extern template void exclusive_scan(DeviceStream&, const int64_t*, int64_t, int64_t*, void*);

/// Does the same on the host, as plainly as can be.
template <class Value>
std::vector<int64_t> exclusive_scan_on_host(std::span<const Value> values) {
  std::vector<int64_t> sums = {0};
  for (const Value value : values) sums.push_back(sums.back() + value);
  return sums;
}

}  // namespace accelerant::device
