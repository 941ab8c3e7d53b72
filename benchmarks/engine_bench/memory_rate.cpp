#include "memory_rate.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace accelerant::bench {

namespace {

constexpr size_t kElements = size_t{16} << 20;  // 128 MiB an array
constexpr int kPasses = 5;

double measure() {
  std::vector<double> a(kElements);
  const std::vector<double> b(kElements, 1.5);
  const std::vector<double> c(kElements, 2.5);
  double best = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < kElements; ++i) a[i] = b[i] + 3.0 * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::max(best, 3.0 * sizeof(double) * kElements / took.count());
  }
  return best;
}

}  // namespace

double memory_bytes_per_second() {
  static const double kRate = measure();
  return kRate;
}

void count_rates(benchmark::State& state, int64_t rows, int64_t bytes) {
  state.SetItemsProcessed(state.iterations() * rows);
  state.SetBytesProcessed(state.iterations() * bytes);
}

}  // namespace accelerant::bench
