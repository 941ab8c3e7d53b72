#pragma once

#include "device/primitives/generate.h"

#include <cstdint>
#include <vector>

/// What checks are made of, the same in every run.
namespace accelerant::gpu_check {

inline std::vector<uint8_t> random_bytes(int64_t n, uint64_t seed) {
  return device::generate_on_host<uint8_t>({seed, 0, 256}, n);
}

/// Returns levels of which some are 0 and the others 1.
inline std::vector<uint8_t> random_levels(int64_t n, uint64_t seed) {
  std::vector<uint8_t> levels = device::generate_on_host<uint8_t>({seed, 0, 4}, n);
  for (uint8_t& level : levels) level = level > 0 ? 1 : 0;
  return levels;
}

/// Returns `n` rows out of `num_rows`, some of them -1; all are where there are no rows.
inline std::vector<int32_t> random_rows(int64_t n, int64_t num_rows) {
  return device::generate_on_host<int32_t>({15, -1, static_cast<uint64_t>(num_rows + 1)}, n);
}

/// Returns the rows of pages that `n` rows are parted into; one of none where there are no rows.
inline std::vector<int64_t> page_sizes(int64_t n) {
  constexpr int64_t kPageRows = 2'000;
  std::vector<int64_t> sizes;
  for (; n > kPageRows; n -= kPageRows) sizes.push_back(kPageRows);
  sizes.push_back(n);
  return sizes;
}

}  // namespace accelerant::gpu_check
