#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace accelerant::io {

/// Calls `body(i)` for i in [0, n) on up to `threads` threads, joined before it returns. Rethrows the exception of the
/// lowest i.
template <class Body>
void for_each_on_threads(size_t n, int threads, const Body& body) {
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(n);
  const auto work = [&] {
    for (size_t i = next++; i < n; i = next++) {
      try {
        body(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (size_t i = 1; i < std::min(n, static_cast<size_t>(std::max(threads, 1))); ++i) workers.emplace_back(work);
    work();
  }
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace accelerant::io
