#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Blocks in snappy's format for tests of its decoder.
namespace accelerant::device::snappy {

using Bytes = std::vector<uint8_t>;

/// Writes elements, and what they stand for.
class SnappyWriter {
 public:
  /// Adds a literal whose length has so many bytes behind the first of the element, 0 to 4.
  void literal(const Bytes& bytes, int num_length_bytes) {
    const size_t length = bytes.size() - 1;
    put(num_length_bytes == 0 ? length << 2 : static_cast<size_t>(59 + num_length_bytes) << 2, 1);
    put(length, num_length_bytes);
    elements_.insert(elements_.end(), bytes.begin(), bytes.end());
    made_.insert(made_.end(), bytes.begin(), bytes.end());
  }
  /// Adds a copy whose offset has 1, 2 or 4 bytes.
  void copy(size_t offset, size_t length, int num_offset_bytes) {
    if (num_offset_bytes == 1) {
      put(1 | (length - 4) << 2 | offset >> 8 << 5, 1);
    } else {
      put((num_offset_bytes == 2 ? 2 : 3) | (length - 1) << 2, 1);
    }
    put(offset, num_offset_bytes);
    for (size_t i = 0; i < length; ++i) made_.push_back(made_[made_.size() - offset]);
  }

  Bytes block() const {
    Bytes bytes;
    size_t length = made_.size();
    for (; length > 0x7f; length >>= 7) bytes.push_back(static_cast<uint8_t>(length | 0x80));
    bytes.push_back(static_cast<uint8_t>(length));
    bytes.insert(bytes.end(), elements_.begin(), elements_.end());
    return bytes;
  }
  const Bytes& made() const { return made_; }

 private:
  void put(size_t number, int num_bytes) {
    for (int i = 0; i < num_bytes; ++i) elements_.push_back(static_cast<uint8_t>(number >> (8 * i)));
  }

  Bytes elements_;
  Bytes made_;
};

/// Returns random bytes.
inline Bytes some_bytes(size_t n, std::mt19937& random) {
  Bytes bytes(n);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

/// Returns a block of elements of all kinds; many copies are of what came just before, into which some reach.
inline SnappyWriter some_block(int num_elements, uint32_t seed) {
  std::mt19937 random(seed);
  SnappyWriter writer;
  writer.literal(some_bytes(1 + random() % 60, random), 0);
  for (int i = 1; i < num_elements; ++i) {
    const size_t made = writer.made().size();
    const size_t nearest = random() % 2 == 0 ? 70 : 2047;
    switch (random() % 4) {
      case 0:
        writer.literal(some_bytes(1 + random() % 50, random), static_cast<int>(random() % 5));
        break;
      case 1:
        writer.copy(1 + random() % std::min(made, nearest), 4 + random() % 8, 1);
        break;
      default:
        writer.copy(1 + random() % std::min(made, nearest), 1 + random() % 64, random() % 2 == 0 ? 2 : 4);
    }
  }
  return writer;
}

}  // namespace accelerant::device::snappy
