#pragma once

#include "base/prefetch.h"
#include "memory/array.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::execution {
class Cancellation;
}

namespace accelerant::operators {

/// A value, as 64 bits, and the group that has it. Group 0 is nobody's.
struct GroupValue {
  uint64_t value;
  int32_t group;
};

/// Which values each group has met: a set of pairs, in one table of open addressing that holds the pairs themselves.
/// One worker at a time.
class DistinctPairs {
 public:
  /// @param cancellation looked at while much is moved; nullptr: none
  explicit DistinctPairs(const std::shared_ptr<memory::Budget>& budget,
                         const execution::Cancellation* cancellation = nullptr)
      : budget_(budget), cancellation_(cancellation), places_(budget) {}

  /// Adds pairs, none of group 0, and calls `add(group)` for each that was not there. Reserves memory first.
  template <class Add>
  void insert(std::span<const GroupValue> pairs, Add add);

  /// Makes room for `num_pairs` more. Pairs that come in the order of another table's places need it: in a table that
  /// grows as they come they would crowd a part of it.
  void reserve(size_t num_pairs) { grow_to(size_ + num_pairs); }

  size_t size() const { return size_; }
  /// Returns the table: pairs in no order; those of group 0 are free places.
  std::span<const GroupValue> places() const { return places_.span(); }
  /// Calls `visit(pair)` for each place, also for those without a pair, whose group is 0: to leave these out takes a
  /// branch that nobody foresees.
  /// @param cancellation looked at now and then; nullptr: none
  template <class Visit>
  void for_each_place(const execution::Cancellation* cancellation, Visit visit) const {
    visit_places(places(), cancellation, visit);
  }

 private:
  static constexpr size_t kPrefetchAhead = 16;

  static uint64_t hash(const GroupValue& pair) {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
    constexpr uint64_t kOther = 0xd6e8feb86659fd93;
    constexpr uint64_t kThird = 0xc2b2ae3d27d4eb4f;
    const uint64_t both = (pair.value ^ kOther) + static_cast<uint64_t>(pair.group) * kThird;
    const auto product = static_cast<unsigned __int128>(both) * kOdd;
    return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
  }
  /// Returns where a pair is, or the free place for it.
  int64_t find(const GroupValue& pair) const {
    const int64_t mask = places_.size() - 1;
    int64_t at = static_cast<int64_t>(hash(pair)) & mask;
    while (places_[at].group != 0 && (places_[at].value != pair.value || places_[at].group != pair.group)) {
      at = (at + 1) & mask;
    }
    return at;
  }
  /// Makes room for so many pairs.
  void grow_to(size_t num_pairs);
  template <class Visit>
  static void visit_places(std::span<const GroupValue> places, const execution::Cancellation* cancellation,
                           Visit visit);
  static void check_cancelled(const execution::Cancellation* cancellation);

  std::shared_ptr<memory::Budget> budget_;
  const execution::Cancellation* cancellation_;
  memory::Array<GroupValue> places_;  ///< as many as a power of two, or none
  size_t size_ = 0;
};

template <class Visit>
void DistinctPairs::visit_places(std::span<const GroupValue> places, const execution::Cancellation* cancellation,
                                 Visit visit) {
  constexpr size_t kPlacesAtOnce = 64 * 1024;
  for (; !places.empty(); places = places.subspan(std::min(kPlacesAtOnce, places.size()))) {
    check_cancelled(cancellation);
    for (const GroupValue& pair : places.first(std::min(kPlacesAtOnce, places.size()))) visit(pair);
  }
}

template <class Add>
void DistinctPairs::insert(std::span<const GroupValue> pairs, Add add) {
  // A few at a time, so that the table has room for those that are new, not for all that come.
  constexpr size_t kStep = 1024;
  for (; !pairs.empty(); pairs = pairs.subspan(std::min(kStep, pairs.size()))) {
    const auto step = pairs.first(std::min(kStep, pairs.size()));
    grow_to(size_ + step.size());
    const GroupValue* const places = places_.data();
    const uint64_t mask = static_cast<uint64_t>(places_.size()) - 1;
    for (size_t i = 0; i < step.size(); ++i) {
      if (i + kPrefetchAhead < step.size()) prefetch_line_to_write(places + (hash(step[i + kPrefetchAhead]) & mask));
      GroupValue& place = places_[find(step[i])];
      if (place.group != 0) continue;
      place = step[i];
      ++size_;
      add(step[i].group);
    }
  }
}

}  // namespace accelerant::operators
