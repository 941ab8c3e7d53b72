#pragma once

#include "base/macros.h"
#include "types/integers.h"

/// Associative, commutative operations on integers, with the value that changes nothing.
namespace accelerant::device::kernels {

/// Adds up modulo 2^64.
struct Sum {
  ACC_HD static constexpr int64 identity() { return 0; }
  ACC_HD int64 operator()(int64 lhs, int64 rhs) const {
    return static_cast<int64>(static_cast<uint64>(lhs) + static_cast<uint64>(rhs));
  }
};

struct Minimum {
  ACC_HD static constexpr int64 identity() { return static_cast<int64>(~uint64{0} >> 1); }
  ACC_HD int64 operator()(int64 lhs, int64 rhs) const { return rhs < lhs ? rhs : lhs; }
};

struct Maximum {
  ACC_HD static constexpr int64 identity() { return static_cast<int64>(uint64{1} << 63); }
  ACC_HD int64 operator()(int64 lhs, int64 rhs) const { return lhs < rhs ? rhs : lhs; }
};

}  // namespace accelerant::device::kernels
