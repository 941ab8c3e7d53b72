#pragma once

#include "device/emulator/mapping.h"

#include <memory>
#include <vector>

namespace accelerant::device::emulator {

/// Stacks for fibers, kept for the next: to map one costs more than most fibers run.
class StackPool {
 public:
  /// Returns a stack; throws Error{Resource} where the system has no memory.
  std::unique_ptr<Mapping> take();
  void give_back(std::unique_ptr<Mapping> stack);

 private:
  std::vector<std::unique_ptr<Mapping>> spare_;
};

}  // namespace accelerant::device::emulator
