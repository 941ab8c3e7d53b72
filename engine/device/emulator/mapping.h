#pragma once

#include <cstddef>
#include <cstdint>

namespace accelerant::device::emulator {

/// Pages of memory of one's own, zeroed, between two pages that nobody may access. Under sanitizers nothing is known of
/// who used them before. Not movable.
class Mapping {
 public:
  /// Maps at least `bytes`; throws Error{Resource} where the system has none.
  explicit Mapping(size_t bytes);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  /// Lets code access the pages, or takes them out of reach; what they hold stays.
  void set_access(bool allowed);
  /// Gives the pages back to the system; their addresses stay taken.
  void drop_content();

  char* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }

 private:
  char* data_;
  size_t size_bytes_;
};

/// Some bytes that end where a page that nobody may access begins, but for what their alignment leaves.
class GuardedMemory {
 public:
  /// Throws as Mapping does.
  GuardedMemory(size_t bytes, size_t alignment);
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  void set_access(bool allowed) { mapping_.set_access(allowed); }
  void drop_content() { mapping_.drop_content(); }
  char* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  /// Returns the bytes with what their alignment leaves.
  int64_t taken_bytes() const { return mapping_.data() + mapping_.size_bytes() - data_; }

 private:
  Mapping mapping_;
  char* data_;
  size_t size_bytes_;
};

}  // namespace accelerant::device::emulator
