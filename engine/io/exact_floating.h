#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace accelerant::io {

/// Returns `digits` times ten to the `power`, where both are numbers that F holds exactly, so that their product or
/// quotient rounds once (Clinger, 1990); nothing elsewhere.
template <class F>
std::optional<F> exact_floating(uint64_t digits, int32_t power) {
  static constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int32_t kExactPowers = sizeof(F) == sizeof(double) ? 22 : 10;
  if (digits > uint64_t{1} << std::numeric_limits<F>::digits) return std::nullopt;
  if (power < -kExactPowers || power > kExactPowers) return std::nullopt;
  const auto scale = static_cast<F>(kPowers[static_cast<size_t>(power < 0 ? -power : power)]);
  return power < 0 ? static_cast<F>(digits) / scale : static_cast<F>(digits) * scale;
}

}  // namespace accelerant::io
