#pragma once

#include "device/stream.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace accelerant::device {

/// Returns the least seconds of several runs, each until the stream has done what it enqueues; one before is not timed.
template <class Work>
double least_seconds(DeviceStream& stream, Work work, int num_runs = 5) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run <= num_runs; ++run) {
    stream.synchronize();
    const auto start = std::chrono::steady_clock::now();
    work();
    stream.synchronize();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (run > 0) least = std::min(least, taken.count());
  }
  return least;
}

}  // namespace accelerant::device
