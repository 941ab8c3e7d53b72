#pragma once

#include <cstdint>

namespace accelerant::execution {

/// Where pipelines may run.
enum class DeviceChoice : uint8_t {
  Auto,      ///< on a GPU where that is estimated to take less time
  Cpu,       ///< on the host alone
  Gpu,       ///< on a GPU wherever one can
  Emulator,  ///< on an emulated device wherever one could
};

}  // namespace accelerant::execution
