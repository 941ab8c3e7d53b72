#include "spill/write_rates.h"

#include <algorithm>

namespace accelerant::spill {

namespace {

/// How many blocks it takes until one is compressed to see how that does.
constexpr int64_t kBlocksBetweenTrials = 64;

}  // namespace

bool WriteRates::compresses_next() {
  const std::lock_guard lock(mutex_);
  const bool is_trial = num_blocks_++ % kBlocksBetweenTrials == 0;
  return is_trial || compress_nanos_.value + left_.value * write_nanos_.value < write_nanos_.value;
}

void WriteRates::note_write(int64_t num_bytes, int64_t nanos) {
  const std::lock_guard lock(mutex_);
  write_nanos_.add(static_cast<double>(nanos) / static_cast<double>(std::max<int64_t>(num_bytes, 1)));
}

void WriteRates::note_compression(int64_t num_bytes, int64_t compressed_bytes, int64_t nanos) {
  const std::lock_guard lock(mutex_);
  const auto bytes = static_cast<double>(std::max<int64_t>(num_bytes, 1));
  compress_nanos_.add(static_cast<double>(nanos) / bytes);
  left_.add(static_cast<double>(compressed_bytes) / bytes);
}

}  // namespace accelerant::spill
