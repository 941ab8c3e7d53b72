#include "memory/budget.h"

#include "base/error.h"
#include "memory/machine_memory.h"
#include "memory/memory_wait.h"
#include "memory/reservation_faults.h"
#include "memory/reservation_probe.h"

#include <cstdio>
#include <utility>

namespace accelerant::memory {

namespace {

/// How many times reclaimers are asked for one reservation.
constexpr int kAttempts = 4;

/// Of budgets below one that has an arbiter.
thread_local int64_t net_bytes_of_thread = 0;

}  // namespace

Budget::Budget(std::string name, int64_t limit_bytes, std::shared_ptr<Budget> parent, std::string remedy)
    : name_(std::move(name)), remedy_(std::move(remedy)), limit_bytes_(limit_bytes), parent_(std::move(parent)) {}

Budget* Budget::reserve_or_find_exhausted(int64_t bytes) {
  int64_t used = used_bytes_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_bytes() - used) return this;
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  if (Budget* exhausted = parent_ ? parent_->reserve_or_find_exhausted(bytes) : nullptr) {
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    return exhausted;
  }
  if (arbiter_.load(std::memory_order_relaxed)) net_bytes_of_thread += bytes;
  used += bytes;
  int64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < used && !peak_bytes_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
  return nullptr;
}

Budget* Budget::reserve_enlarged(int64_t bytes) {
  Budget* exhausted = reserve_or_find_exhausted(bytes);
  while (exhausted == this && supply_ && supply_->enlarge(bytes)) exhausted = reserve_or_find_exhausted(bytes);
  return exhausted;
}

void Budget::reserve(int64_t bytes) {
  if (const Budget* exhausted = reserve_or_ask(bytes)) throw_exhausted(*exhausted, bytes);
}

DiskMemory* Budget::reserve_or_find_disk(int64_t bytes) {
  const Budget* const exhausted = reserve_or_ask(bytes);
  if (!exhausted) return nullptr;
  // Who can do with less does so.
  DiskMemory* const disk = WithoutWaiting::is_on() ? nullptr : exhausted->disk_memory();
  if (!disk) throw_exhausted(*exhausted, bytes);
  note_on_disk(bytes);
  return disk;
}

Budget* Budget::reserve_or_ask(int64_t bytes) {
  ReservationProbe::note();
  if (is_made_to_fail()) {
    ask_reclaimers();
    return this;
  }
  Budget* exhausted = reserve_enlarged(bytes);
  // What is given back, others may take first.
  for (int attempt = 0; exhausted && attempt < kAttempts && exhausted->ask_reclaimers(); ++attempt) {
    exhausted = reserve_or_find_exhausted(bytes);
  }
  MemoryArbiter* const arbiter = exhausted ? exhausted->root().arbiter_.load() : nullptr;
  if (arbiter && !WithoutWaiting::is_on()) arbiter->judge(*exhausted, bytes);
  return exhausted;
}

DiskMemory* Budget::disk_memory() const { return ReservationFaults::is_on() ? nullptr : root().disk_memory_.load(); }

void Budget::note_on_disk(int64_t bytes) {
  for (Budget* budget = this; budget; budget = budget->parent_.get()) {
    budget->on_disk_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
}

void Budget::set_overdraft(int64_t bytes, DiskMemory* disk) {
  overdraft_disk_ = disk;
  overdraft_bytes_ = bytes;
}

DiskMemory* Budget::overdrawn_disk() const {
  const Budget& from = root();
  const int64_t overdraft = from.overdraft_bytes_.load(std::memory_order_relaxed);
  if (overdraft == 0 || from.used_bytes() <= from.limit_bytes() - overdraft) return nullptr;
  return from.overdraft_disk_;
}

bool Budget::is_made_to_fail() const {
  return ReservationFaults::is_on() && is_limited() && ReservationFaults::strikes(name_);
}

bool Budget::is_limited() const { return limit_bytes() != kUnlimited || (parent_ && parent_->is_limited()); }

void Budget::throw_exhausted(const Budget& exhausted, int64_t bytes) const {
  std::string message = "out of memory: " + name_ + " needs " + format_bytes(bytes) + " more, but the " +
                        exhausted.name() + " of " + format_bytes(exhausted.limit_bytes()) + " has " +
                        format_bytes(exhausted.used_bytes()) + " in use";
  if (!exhausted.remedy_.empty()) message += "; " + exhausted.remedy_;
  throw Error(ErrorKind::Resource, std::move(message)).with_class(kOutOfBudget);
}

void Budget::add_reclaimer(const std::shared_ptr<MemoryReclaimer>& reclaimer) {
  for (Budget* budget = this; budget; budget = budget->parent_.get()) {
    const std::lock_guard lock(budget->mutex_);
    std::erase_if(budget->reclaimers_, [](const auto& other) { return other.expired(); });
    budget->reclaimers_.push_back(reclaimer);
  }
}

bool Budget::ask_reclaimers() {
  std::vector<std::shared_ptr<MemoryReclaimer>> asked;
  {
    const std::lock_guard lock(mutex_);
    for (const std::weak_ptr<MemoryReclaimer>& reclaimer : reclaimers_) {
      if (auto alive = reclaimer.lock()) asked.push_back(std::move(alive));
    }
  }
  for (const auto& reclaimer : asked) reclaimer->reclaim();
  return !asked.empty();
}

bool Budget::try_reserve(int64_t bytes) { return !is_made_to_fail() && reserve_or_find_exhausted(bytes) == nullptr; }

int64_t Budget::reserved_by_thread() { return net_bytes_of_thread; }

void Budget::release(int64_t bytes) noexcept {
  for (Budget* budget = this; budget; budget = budget->parent_.get()) {
    // In one order with what a waiter does, which is counted before it looks for room.
    budget->used_bytes_.fetch_sub(bytes);
    if (budget->arbiter_.load(std::memory_order_relaxed)) net_bytes_of_thread -= bytes;
    if (budget->num_waiters_.load() == 0) continue;
    if (MemoryArbiter* const arbiter = budget->root().arbiter_) arbiter->note_release(*budget);
  }
}

const Budget& Budget::root() const {
  const Budget* root = this;
  while (root->parent_) root = root->parent_.get();
  return *root;
}

Reservation::Reservation(std::shared_ptr<Budget> budget, int64_t bytes) : budget_(std::move(budget)) { resize(bytes); }

Reservation Reservation::of_reserved(std::shared_ptr<Budget> budget, int64_t bytes) {
  Reservation reserved;
  reserved.budget_ = std::move(budget);
  reserved.bytes_ = bytes;
  return reserved;
}

Reservation::Reservation(Reservation&& other) noexcept
    : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Reservation::~Reservation() {
  if (bytes_ > 0) budget_->release(bytes_);
}

Reservation Reservation::split(int64_t bytes) {
  ACC_CHECK(bytes <= bytes_);
  bytes_ -= bytes;
  return of_reserved(budget_, bytes);
}

void Reservation::resize(int64_t bytes) {
  if (bytes > bytes_) {
    budget_->reserve(bytes - bytes_);
  } else if (bytes < bytes_) {
    budget_->release(bytes_ - bytes);
  }
  bytes_ = bytes;
}

std::string format_bytes(int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

const std::shared_ptr<Budget>& process_budget() {
  static const auto* budget = new std::shared_ptr<Budget>(
      std::make_shared<Budget>("process budget", default_limit_bytes(machine_memory_bytes(), 0), nullptr,
                               "set spark.accelerant.memory.limit higher where the application starts"));
  return *budget;
}

}  // namespace accelerant::memory
