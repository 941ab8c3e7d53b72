#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace accelerant::memory {

/// For tests: counts, as long as it lives, the reservations of the process by the places that make them, and has chosen
/// ones fail as if memory were short: once reclaimers were asked, for what waits for nobody. One at a time in a
/// process.
class ReservationFaults {
 public:
  /// Who reserves, and where.
  struct Site {
    std::string budget;          ///< its name, an operator's mostly
    std::vector<void*> callers;  ///< return addresses, innermost first
    int64_t num_calls = 0;
  };
  /// By a number that is the same in all runs of a process.
  using Sites = std::map<uint64_t, Site>;
  struct Fault {
    uint64_t site;
    int64_t call;  ///< of the site, counted from 0
  };

  explicit ReservationFaults(std::vector<Fault> faults);
  ReservationFaults(const ReservationFaults&) = delete;
  ReservationFaults& operator=(const ReservationFaults&) = delete;
  ~ReservationFaults();

  Sites sites() const;
  /// Returns how many of the faults have come.
  int num_struck() const;

  static bool is_on() { return has_counter.load(std::memory_order_relaxed); }
  /// Counts a reservation of a budget, if there is somebody who counts. Returns whether it is to fail.
  static bool strikes(const std::string& budget);

 private:
  static std::atomic<bool> has_counter;

  const std::vector<Fault> faults_;
  Sites sites_;
  int num_struck_ = 0;
};

}  // namespace accelerant::memory
