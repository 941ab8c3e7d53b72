#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

/// Sorts a list in place, in time n log n at worst. Equal values may change places.
template <class T, class Less>
class HeapSort {
 public:
  ACC_HD HeapSort(List<T> list, Less less) : list_(list), less_(less) {}

  ACC_HD void sort() {
    for (int64 root = list_.length / 2; root-- > 0;) sink(root, list_.length);
    for (int64 end = list_.length - 1; end > 0; --end) {
      swap(0, end);
      sink(0, end);
    }
  }

 private:
  /// Makes a heap of what is below `root`, whose children are heaps.
  ACC_HD void sink(int64 root, int64 end) {
    for (int64 child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && less_(list_.values[child], list_.values[child + 1])) ++child;
      if (!less_(list_.values[root], list_.values[child])) return;
      swap(root, child);
      root = child;
    }
  }

  ACC_HD void swap(int64 lhs, int64 rhs) {
    const T value = list_.values[lhs];
    list_.values[lhs] = list_.values[rhs];
    list_.values[rhs] = value;
  }

  List<T> list_;
  Less less_;
};

/// Sorts a list by `less`, unless it is sorted.
template <class T, class Less>
ACC_HD void sort_list(List<T> list, Less less) {
  int64 sorted = 1;
  while (sorted < list.length && !less(list.values[sorted], list.values[sorted - 1])) ++sorted;
  if (sorted < list.length) HeapSort<T, Less>(list, less).sort();
}

}  // namespace accelerant::functions
