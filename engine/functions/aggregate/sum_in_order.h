#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

/// State of Sum and Average over floating-point numbers that come in the order in which Spark adds them up, and merges
/// what they came to: the last digits are Spark's.
///
/// Spark: aggregate.Sum, aggregate.Average.
struct SumInOrder {
  double sum;
  int64 count;

  ACC_HD static SumInOrder init() { return {0, 0}; }

  ACC_HD ACC_INLINE void update(double value) {
    sum += value;
    ++count;
  }

  ACC_HD void merge(const SumInOrder& other) {
    sum += other.sum;
    count += other.count;
  }
};

}  // namespace accelerant::functions
