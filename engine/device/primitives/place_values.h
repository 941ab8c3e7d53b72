#pragma once

#include "device/kernels/place_values.h"
#include "device/page_status.h"
#include "device/stream.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::device {

using kernels::ValuePage;

/// Pages whose values are placed in one launch; both are device memory, and `statuses` has a place for each page.
struct ValuePages {
  const ValuePage* pages;
  int64_t num_pages;
  PageStatus* statuses;
};

// Each of these enqueues: for every page, its values at the rows whose level is 1, and what was found in it. The place
// of a null is left as it is. A page that has too few values, another level than 0 and 1 or an index past the
// dictionary's end is not sound; where several are wrong, it has the last status of PageStatus's order. Its data may be
// anything, at any address; of `to`, only places of its rows are written.

/// Places integers (or floating-point numbers) of the plain encoding: of `stored_bytes` 4 the lowest `value_bytes` 1, 2
/// or 4, or both 8; or integers of `stored_bytes` 4 or 8 with their sign as `value_bytes` 8 or 16.
void place_integers(DeviceStream& stream, int32_t stored_bytes, int32_t value_bytes, const ValuePages& pages);

/// Places booleans as bytes: of the plain encoding, a bit each; or the lowest bits of bytes that runs were expanded to.
void place_booleans(DeviceStream& stream, const ValuePages& pages);
void place_expanded_booleans(DeviceStream& stream, const ValuePages& pages);

/// Places decimals of `stored_bytes` bytes, the highest first, as integers of `value_bytes`, 8 or 16, which is not
/// less.
void place_decimals(DeviceStream& stream, int32_t stored_bytes, int32_t value_bytes, const ValuePages& pages);

/// Places entries of a dictionary, of 1, 2, 4, 8 or 16 bytes and aligned to that, by indices of 4 bytes.
void place_dictionary_values(DeviceStream& stream, int32_t value_bytes, const void* entries, int64_t num_entries,
                             const ValuePages& pages);

/// Places indices of 4 bytes into a dictionary themselves.
void place_dictionary_codes(DeviceStream& stream, int64_t num_entries, const ValuePages& pages);

/// Enqueues: bit i of `to` says whether level i is 1. Bit i is bit i % 8 of byte i / 8; `to` has room for whole words
/// of 32 bits, whose bits past the end become 0. All is device memory.
void level_bits(DeviceStream& stream, const uint8_t* levels, int64_t num_rows, uint32_t* to);

/// Does for one page on the host, as plainly as can be, what the `place_` primitives do. `read` makes a value of stored
/// bytes, or says that there is none.
template <class Value, class Read>
PageStatus place_on_host(const std::vector<uint8_t>* levels, std::span<const uint8_t> data, int64_t stored_bytes,
                         Read read, std::vector<Value>& to) {
  PageStatus status = PageStatus::Sound;
  for (size_t row = 0; row < to.size(); ++row) {
    const uint8_t level = levels == nullptr ? 1 : (*levels)[row];
    if (level > 1) status = std::max(status, PageStatus::BadLevel);
    if (level != 1) continue;
    if (static_cast<int64_t>(data.size()) < stored_bytes) {
      status = std::max(status, PageStatus::EndsEarly);
      continue;
    }
    const std::optional<Value> value = read(data.data());
    data = data.subspan(static_cast<size_t>(stored_bytes));
    if (value) {
      to[row] = *value;
    } else {
      status = std::max(status, PageStatus::BadOffset);
    }
  }
  return status;
}
std::vector<uint32_t> level_bits_on_host(std::span<const uint8_t> levels);

}  // namespace accelerant::device
