#include "primitives.h"

namespace accelerant::gpu_check {

void check_primitives(device::Device& device, std::span<const int64_t> sizes, Report& report) {
  for (const auto& checks : {column_checks(), group_checks(), string_checks(), page_checks(), placing_checks()}) {
    for (const auto& [name, is_equal] : checks) {
      for (const int64_t n : sizes) report.check(name, n, [&] { return Outcome{is_equal(device, n)}; });
    }
  }
}

}  // namespace accelerant::gpu_check
