#pragma once

#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

/// Rows to be sorted by keys, and where they go. All is device memory; nothing that is written overlaps anything else.
struct RadixSort {
  const uint64_t* keys;
  const int32_t* rows;  ///< that go with the keys; null: 0, 1, 2 …
  int64_t num_rows;     ///< up to 2^31 - 1
  int32_t num_bits;     ///< of a key that count, the lowest ones: 0 to 64
  uint64_t* sorted_keys;
  int32_t* sorted_rows;
};

/// Returns the bytes of workspace that `radix_sort` needs: not above 13 a row and 11,000.
int64_t radix_sort_workspace_bytes(int64_t num_rows, int32_t num_bits);

/// Enqueues: `sorted_keys`, `sorted_rows` = keys and rows by the bits that count, ascending as unsigned integers; those
/// with the same bits stay in their order. Rows sorted by a lower word are so sorted by a higher one, gathered in their
/// order. The time grows with each 8 bits; fewer bits are better.
void radix_sort(DeviceStream& stream, const RadixSort& sort, void* workspace);

/// Returns the numbers of keys in their order, on the host, as plainly as can be.
std::vector<int32_t> radix_sort_on_host(std::span<const uint64_t> keys, int32_t num_bits);

}  // namespace accelerant::device
