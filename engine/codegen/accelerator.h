#pragma once

#include "codegen/kernel_compiler.h"
#include "device/device_rates.h"
#include "device/stream.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

namespace accelerant::codegen {

/// Why there is none, in one line for people.
struct Unavailable {
  std::string reason;
};

/// A device that pipelines run on, with what compiles for it.
class Accelerator {
 public:
  virtual ~Accelerator() = default;
  /// E.g. "NVIDIA H200" or "emulator".
  virtual const std::string& name() const = 0;
  /// The name and what drives it, for people, e.g. "NVIDIA H200 (sm_90), driver for CUDA 13.5, NVRTC 13.5".
  virtual std::string description() const { return name(); }
  virtual device::Device& device() = 0;
  virtual KernelCompiler& compiler() = 0;
  /// Waits until the caller may use the device and what was made on it, as long as it keeps what is returned.
  virtual std::unique_lock<std::mutex> take_turn() { return {}; }

  /// Returns what the device does in a second, which is measured when it is asked for first. Any thread.
  /// @throws Error where the device fails or has no room
  const device::DeviceRates& rates();
  /// Notes that the device fails, with one notice (base/notices.h): queries that start later do not use it. What is
  /// pinned for it is given back. Any thread.
  void give_up(const std::string& reason);
  /// Returns why it was given up; nullopt: it works. Any thread.
  std::optional<std::string> failure() const;

 private:
  virtual device::DeviceRates measure() { return device::measure_rates(device()); }

  mutable std::mutex mutex_;
  std::optional<std::string> failure_;
  std::optional<device::DeviceRates> rates_;
};

/// Opens the first GPU. Kernels of pipelines are compiled on a thread of their own by NVRTC, the library that variable
/// ACCELERANT_NVRTC of the environment names, else that of NVIDIA's Python package beside ours, else the system's;
/// their machine code is kept in the user's cache folder. That of the engine's own kernels is in the folder `gpu`
/// beside the folder of the engine's library, or attached to the program, maybe with those of pipelines, which then run
/// without NVRTC. One a process: later calls return the same, or the same reason.
std::variant<std::shared_ptr<Accelerator>, Unavailable> open_gpu();

/// Opens an emulator of its own, which runs kernels that the machine's C++ compiler makes: for tests.
std::variant<std::shared_ptr<Accelerator>, Unavailable> open_emulator();

}  // namespace accelerant::codegen
