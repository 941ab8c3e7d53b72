#pragma once

#include "device/stream.h"

#include <string>

namespace accelerant::device {

/// What a device was measured to do.
struct DeviceRates {
  double upload_bytes = 0;    ///< copied to it a second, from pinned memory as stored columns are
  double download_bytes = 0;  ///< copied from it a second, to ordinary memory as rows are
  double memory_bytes = 0;    ///< of its memory that a kernel reads a second
  double launch_seconds = 0;  ///< from one launch to the next
  double wait_seconds = 0;    ///< that a launch takes and the wait for its end

  /// For people, e.g. "24.1 GB/s there, 22.0 GB/s back, memory 3,900 GB/s, launch 2.1 us, wait 9.0 us".
  std::string to_string() const;
};

/// Measures a device, in some milliseconds.
/// @throws Error where the device fails or has no room for some MB
DeviceRates measure_rates(Device& device);

}  // namespace accelerant::device
