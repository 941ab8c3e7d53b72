#pragma once

#include "base/bits.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// Streams of runs for tests of their decoders.
namespace accelerant::device {

/// Writes Parquet's hybrid of run-length and bit-packed integers.
class RunWriter {
 public:
  explicit RunWriter(int bit_width) : bit_width_(bit_width) {}

  /// Adds a run of one value.
  void repeat(uint32_t value, uint64_t count) {
    header(count << 1);
    for (int i = 0; i < (bit_width_ + 7) / 8; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    values_.insert(values_.end(), count, value);
  }

  /// Adds a run of packed values, a multiple of eight of them.
  void pack(const std::vector<uint32_t>& values) {
    header((values.size() / 8) << 1 | 1);
    std::vector<uint8_t> packed(values.size() * static_cast<size_t>(bit_width_) / 8, 0);
    for (size_t i = 0; i < values.size(); ++i) {
      for (int bit = 0; bit < bit_width_; ++bit) {
        if ((values[i] >> bit) & 1) bits::set(packed.data(), static_cast<int64_t>(i) * bit_width_ + bit);
      }
    }
    bytes_.append(packed.begin(), packed.end());
    values_.insert(values_.end(), values.begin(), values.end());
  }

  /// Returns the runs with padding behind them.
  std::string padded() const { return bytes_ + std::string(64, '\x5a'); }
  /// Returns the runs alone.
  std::vector<uint8_t> bytes() const { return {bytes_.begin(), bytes_.end()}; }
  /// Counts the bytes without padding.
  int64_t num_bytes() const { return static_cast<int64_t>(bytes_.size()); }
  /// Returns the integers that the runs stand for.
  const std::vector<uint32_t>& values() const { return values_; }

 private:
  void header(uint64_t value) {
    for (; value > 0x7f; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  int bit_width_;
  std::string bytes_;
  std::vector<uint32_t> values_;
};

/// Returns twelve runs of up to 200 random values.
inline RunWriter some_runs(int bit_width, std::mt19937& random) {
  RunWriter writer(bit_width);
  const uint64_t mask = (uint64_t{1} << bit_width) - 1;
  for (int run = 0; run < 12; ++run) {
    const auto value = static_cast<uint32_t>(random() & mask);
    if (random() % 2 == 0) {
      writer.repeat(value, 1 + random() % 200);
    } else {
      std::vector<uint32_t> values(8 * (1 + random() % 20));
      for (auto& each : values) each = static_cast<uint32_t>(random() & mask);
      writer.pack(values);
    }
  }
  return writer;
}

}  // namespace accelerant::device
