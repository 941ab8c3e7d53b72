#pragma once

#include "device/emulator/mapping.h"
#include "device/emulator/sanitizer_hooks.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace accelerant::device::emulator {

/// What a fiber runs on.
class Stack {
 public:
  explicit Stack(size_t bytes);
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// Returns how many there are.
  static int64_t count();

  Mapping memory;
  AccessOrder accesses;
};

/// Stacks for fibers, kept for the next: to make one costs more than most fibers run. To the thread sanitizer a stack
/// is one line of accesses, whoever runs on it, so that only who is ordered after a fiber should have its stack. Where
/// a process has very many, who needs one has that of the fiber that ended first: a race of the two would not be seen.
class StackPool {
 public:
  /// Returns a pool for pieces of work of a stream, or for the threads of its kernels, which are ordered one after the
  /// other: `common`, that of a device, unless accesses are watched. Whoever lets go of it last is ordered after them.
  static std::shared_ptr<StackPool> of_stream(const std::shared_ptr<StackPool>& common);

  /// Returns a stack; throws Error{Resource} where the system has no memory.
  std::unique_ptr<Stack> take();
  /// Takes back a stack that nothing runs on any more.
  /// @param has_ended whether its fiber came to its end
  void give_back(std::unique_ptr<Stack> stack, bool has_ended);
  /// Called once whoever takes stacks from here on is ordered after all fibers whose stacks were given back.
  void note_order();
  /// Lets go of stacks that are kept, until there are at most so many.
  void trim(size_t most);

 private:
  std::vector<std::unique_ptr<Stack>> spare_;
  std::deque<std::unique_ptr<Stack>> not_ordered_;  ///< those that were given back since `note_order`
};

}  // namespace accelerant::device::emulator
