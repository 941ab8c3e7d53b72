#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Pages of strings for tests of what reads them.
namespace accelerant::device::string_pages {

using Bytes = std::vector<uint8_t>;

/// Appends a number of 4 bytes, the lowest first.
inline void put_length(size_t length, Bytes& to) {
  for (int k = 0; k < 4; ++k) to.push_back(static_cast<uint8_t>(length >> (8 * k)));
}

/// A page of strings of many lengths, none among them.
inline Bytes page_of_strings(int64_t n) {
  std::mt19937 random(static_cast<uint32_t>(n));
  Bytes page;
  for (int64_t i = 0; i < n; ++i) {
    const size_t length = random() % 3 == 0 ? 0 : random() % 40;
    put_length(length, page);
    page.insert(page.end(), length, static_cast<uint8_t>(i));
  }
  return page;
}

}  // namespace accelerant::device::string_pages
