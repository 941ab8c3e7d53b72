#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace accelerant::device::emulator {

/// The host memory that copies name, from when they are enqueued until the host knows that they are done. Owned by a
/// shared_ptr, which its entries share. Any thread.
class CopiedMemory : public std::enable_shared_from_this<CopiedMemory> {
 public:
  /// Takes back what was added.
  using Entry = std::shared_ptr<const void>;

  /// Adds what a copy names, which lasts as long as what is returned.
  [[nodiscard]] Entry add(const void* memory, int64_t bytes);
  /// Notes that host memory was given up: an error where a copy names any of it.
  void note_freed(const void* memory, int64_t bytes);
  /// Throws Error{Internal} after memory was given up too early.
  void check() const;

 private:
  using Ranges = std::multimap<const char*, int64_t>;

  mutable std::mutex mutex_;
  Ranges ranges_;  ///< bytes by where they begin
  bool is_freed_early_ = false;
};

}  // namespace accelerant::device::emulator
