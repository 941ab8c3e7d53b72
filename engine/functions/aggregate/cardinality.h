#pragma once

// How many different values registers of HyperLogLog++ have met, to the last bit as Spark's helper of that name
// estimates it.

#include "functions/aggregate/definition.h"
#include "functions/aggregate/hash_registers.h"

namespace accelerant::functions {

/// What was measured of estimates of one precision: pairs of a raw estimate and how much it is too large.
struct MeasuredBias {
  const double* pairs;
  int64 length;

  /// Returns the mean bias of the raw estimates that are nearest to one.
  ACC_HD double of(double estimate) const {
    constexpr int64 kNeighbours = 6;
    const int64 found = position_of(estimate);
    int64 first = found < kNeighbours ? 0 : found - kNeighbours + 1;
    int64 end = first + kNeighbours < length ? first + kNeighbours : length;
    for (; end < length && distance(end, estimate) < distance(first, estimate); ++end) ++first;
    double sum = 0;
    for (int64 i = first; i < end; ++i) sum += pairs[2 * i + 1];
    return sum / static_cast<double>(end - first);
  }

 private:
  /// Returns where a binary search ends: some of the estimates are not in order.
  ACC_HD int64 position_of(double estimate) const {
    int64 first = 0;
    int64 end = length;
    while (first < end) {
      const int64 middle = (first + end - 1) / 2;
      const double found = pairs[2 * middle];
      if (found == estimate) return middle;
      if (found < estimate) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }
  ACC_HD double distance(int64 i, double estimate) const {
    const double difference = estimate - pairs[2 * i];
    return difference * difference;
  }
};

/// Estimates of one precision. Their `numbers` are up to which estimate counting empty registers is best, and the pairs
/// of MeasuredBias; or none, for precisions that nobody measured.
class Cardinality {
 public:
  ACC_HD Cardinality(int32 precision, const double* numbers, int64 num_numbers)
      : precision_(precision),
        registers_(static_cast<double>(int32{1} << precision)),
        numbers_(numbers),
        num_numbers_(num_numbers) {}

  template <class Registers>
  ACC_HD int64 of(const Registers& registers) const {
    // A table has so few entries that most registers are empty.
    if (!registers.is_dense(precision_)) return rounded(by_empty(registers_ - static_cast<double>(registers.entries)));
    double empty = 0;
    double inverse = 0;
    for (int32 at = 0; at < registers.bytes.length; ++at) {
      const int32 rank = registers.rank(at);
      inverse += 1.0 / static_cast<double>(uint64{1} << rank);
      if (rank == 0) empty += 1;
    }
    return rounded(estimate(empty, mean_factor() / inverse));
  }

 private:
  ACC_HD double estimate(double empty, double raw) const {
    if (empty > 0) {
      const double counted = by_empty(empty);
      if ((num_numbers_ > 0 && counted <= numbers_[0]) || raw <= 2.5 * registers_) return counted;
    }
    if (num_numbers_ < 3 || raw >= 5.0 * registers_) return raw;
    return raw - MeasuredBias{numbers_ + 1, (num_numbers_ - 1) / 2}.of(raw);
  }

  /// Linear counting.
  ACC_HD double by_empty(double empty) const { return registers_ * logarithm(registers_ / empty); }

  /// The natural logarithm: a device's own function, or the compiler's.
  template <class Number>
  ACC_HD static Number logarithm(Number value) {
    if constexpr (requires { log(value); }) {
      return log(value);
    } else {
      return __builtin_log(value);
    }
  }

  /// The factor of the harmonic mean of 2^rank, by the paper of Flajolet and others (2007).
  ACC_HD double mean_factor() const {
    const double alpha = precision_ == 4   ? 0.673
                         : precision_ == 5 ? 0.697
                         : precision_ == 6 ? 0.709
                                           : 0.7213 / (1.0 + 1.079 / registers_);
    return alpha * registers_ * registers_;
  }

  /// Java's Math.round.
  ACC_HD static int64 rounded(double value) {
    auto whole = static_cast<int64>(value);
    if (static_cast<double>(whole) > value) --whole;
    return value - static_cast<double>(whole) >= 0.5 ? whole + 1 : whole;
  }

  const int32 precision_;
  const double registers_;
  const double* const numbers_;
  const int64 num_numbers_;
};

}  // namespace accelerant::functions
