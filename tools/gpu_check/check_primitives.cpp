#include "primitives.h"

namespace accelerant::gpu_check {

void check_primitives(device::Device& device, std::span<const int64_t> sizes, Report& report) {
  for (const auto& checks : {column_checks(), group_checks(), string_checks(), page_checks(), placing_checks()}) {
    for (const PrimitiveCheck& each : checks) {
      for (const int64_t n : sizes) report.check(each.name, n, [&] { return Outcome{each.is_equal(device, n)}; });
    }
  }
}

}  // namespace accelerant::gpu_check
