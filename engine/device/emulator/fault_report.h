#pragma once

namespace accelerant::device::emulator {

class Emulator;

/// While it lives, a fault (SIGSEGV) at memory of an emulated device says on standard error what was accessed before it
/// takes its usual course. For tests and programs of our own: a JVM needs the signal for itself. One at a time.
class FaultReport {
 public:
  /// @param device outlives the report
  explicit FaultReport(const Emulator& device);
  ~FaultReport();
  FaultReport(const FaultReport&) = delete;
  FaultReport& operator=(const FaultReport&) = delete;
};

}  // namespace accelerant::device::emulator
