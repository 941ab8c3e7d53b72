#include "memory/reservation_faults.h"

#include "base/error.h"

#include <algorithm>
#include <execinfo.h>
#include <functional>
#include <mutex>
#include <utility>

namespace accelerant::memory {

namespace {

/// Frames of ours, two of counting and the budget's, and how many callers tell places apart.
constexpr int kOwnFrames = 3;
constexpr int kCallers = 8;

struct Counting {
  std::mutex mutex;
  ReservationFaults* faults = nullptr;
};

Counting& counting() {
  static auto* instance = new Counting;
  return *instance;
}

std::vector<void*> callers() {
  void* frames[kOwnFrames + kCallers];
  const int found = backtrace(frames, kOwnFrames + kCallers);
  return std::vector<void*>(frames + std::min(found, kOwnFrames), frames + found);
}

uint64_t number_of_place(const std::string& budget, const std::vector<void*>& callers) {
  uint64_t number = std::hash<std::string>()(budget);
  for (void* caller : callers) number = (number ^ reinterpret_cast<uintptr_t>(caller)) * 0x9E3779B97F4A7C15;
  return number;
}

}  // namespace

std::atomic<bool> ReservationFaults::has_counter{false};

ReservationFaults::ReservationFaults(std::vector<Fault> faults) : faults_(std::move(faults)) {
  const std::lock_guard lock(counting().mutex);
  ACC_CHECK(!counting().faults);
  counting().faults = this;
  has_counter = true;
}

ReservationFaults::~ReservationFaults() {
  const std::lock_guard lock(counting().mutex);
  has_counter = false;
  counting().faults = nullptr;
}

ReservationFaults::Sites ReservationFaults::sites() const {
  const std::lock_guard lock(counting().mutex);
  return sites_;
}

int ReservationFaults::num_struck() const {
  const std::lock_guard lock(counting().mutex);
  return num_struck_;
}

[[gnu::noinline]] bool ReservationFaults::strikes(const std::string& budget) {
  std::vector<void*> at = callers();
  const uint64_t number = number_of_place(budget, at);
  const std::lock_guard lock(counting().mutex);
  ReservationFaults* const self = counting().faults;
  if (!self) return false;
  const auto [site, is_new] = self->sites_.try_emplace(number, Site{budget, std::move(at)});
  const int64_t call = site->second.num_calls++;
  const bool strikes = std::ranges::any_of(
      self->faults_, [&](const Fault& fault) { return fault.site == number && fault.call == call; });
  self->num_struck_ += strikes;
  return strikes;
}

}  // namespace accelerant::memory
