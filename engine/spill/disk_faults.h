#pragma once

#include <atomic>
#include <cstdint>

namespace accelerant::spill {

/// For tests: counts, as long as it lives, the writes and reads of the process's spill files, and has a disk fail. One
/// at a time in a process.
class DiskFaults {
 public:
  /// What fails; calls are counted from 0. -1: nothing.
  struct Fault {
    int64_t full_from_write = -1;  ///< the disk is full from this write on
    int64_t flipped_read = -1;     ///< of what this call reads, a bit is not what was written
  };

  explicit DiskFaults(const Fault& fault);
  DiskFaults(const DiskFaults&) = delete;
  DiskFaults& operator=(const DiskFaults&) = delete;
  ~DiskFaults();

  int64_t num_writes() const { return num_writes_; }
  int64_t num_reads() const { return num_reads_; }
  int num_struck() const { return num_struck_; }

  static bool is_on() { return has_counter.load(std::memory_order_relaxed); }
  /// Counts a write; returns whether it finds the disk full.
  static bool finds_full();
  /// Counts a read of so many bytes, one or more, and flips one of their bits if it is the one that fails.
  static void note_read(uint8_t* bytes, int64_t num_bytes);

 private:
  static std::atomic<bool> has_counter;

  const Fault fault_;
  std::atomic<int64_t> num_writes_{0};
  std::atomic<int64_t> num_reads_{0};
  std::atomic<int> num_struck_{0};
};

}  // namespace accelerant::spill
