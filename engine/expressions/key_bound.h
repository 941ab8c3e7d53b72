#pragma once

#include "expressions/key_set.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace accelerant::expressions {

/// The values that do not come behind a bound in an order. The bound moves to the front while the set is asked, so that
/// it loses members: at first it has all, nulls included. Any thread.
class KeyBound final : public KeySet {
 public:
  KeyBound(bool ascending, bool nulls_first) : inversion_(ascending ? 0 : -1), nulls_first_(nulls_first) {}

  /// Moves the bound to a value, where that comes before it; inverted (`~value`) where the order descends.
  void move_to(int64_t place);

  bool is_empty() const override { return false; }
  bool has_nulls() const override { return nulls_first_ || bound() == kUnknown; }
  bool may_meet(int64_t min, int64_t max) const override {
    return ((inversion_ == 0 ? min : max) ^ inversion_) <= bound();
  }
  void keep_members(const columns::Column& column, std::vector<int32_t>& rows) const override;

 private:
  static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

  int64_t bound() const { return bound_.load(std::memory_order_relaxed); }

  const int64_t inversion_;  ///< 0 or, where the order descends, -1
  const bool nulls_first_;
  std::atomic<int64_t> bound_{kUnknown};  ///< as `move_to` takes it
};

}  // namespace accelerant::expressions
