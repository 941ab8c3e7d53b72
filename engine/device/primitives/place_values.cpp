#include "device/primitives/place_values.h"

#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <string>

namespace accelerant::device {

namespace {

constexpr int32_t kThreads = 128;

template <class Source>
void place(DeviceStream& stream, const ValuePages& pages, const Source& source) {
  if (pages.num_pages == 0) return;
  launch<kernels::PlaceValues<Source, kThreads>>(stream, pages.num_pages, {pages.pages, source, pages.statuses});
}

template <class Entry>
void place_entries(DeviceStream& stream, const void* entries, int64_t num_entries, const ValuePages& pages) {
  place(stream, pages, kernels::DictionaryValues<Entry>{static_cast<const Entry*>(entries), num_entries});
}

[[noreturn]] void fail_width(const char* primitive, int32_t stored_bytes, int32_t value_bytes) {
  throw Error(ErrorKind::Internal, std::string(primitive) + ": values of " + std::to_string(value_bytes) +
                                       " bytes out of " + std::to_string(stored_bytes));
}

}  // namespace

void place_integers(DeviceStream& stream, int32_t stored_bytes, int32_t value_bytes, const ValuePages& pages) {
  if (stored_bytes == 4 && value_bytes == 1) {
    place(stream, pages, kernels::PlainIntegers<uint32, uint8>());
  } else if (stored_bytes == 4 && value_bytes == 2) {
    place(stream, pages, kernels::PlainIntegers<uint32, uint16>());
  } else if (stored_bytes == 4 && value_bytes == 4) {
    place(stream, pages, kernels::PlainIntegers<uint32, uint32>());
  } else if (stored_bytes == 8 && value_bytes == 8) {
    place(stream, pages, kernels::PlainIntegers<uint64, uint64>());
  } else if (stored_bytes == 4 && value_bytes == 8) {
    place(stream, pages, kernels::PlainIntegers<int32, int64>());
  } else if (stored_bytes == 4 && value_bytes == 16) {
    place(stream, pages, kernels::PlainIntegers<int32, int128>());
  } else if (stored_bytes == 8 && value_bytes == 16) {
    place(stream, pages, kernels::PlainIntegers<int64, int128>());
  } else {
    fail_width("place_integers", stored_bytes, value_bytes);
  }
}

void place_booleans(DeviceStream& stream, const ValuePages& pages) { place(stream, pages, kernels::PlainBooleans()); }

void place_expanded_booleans(DeviceStream& stream, const ValuePages& pages) {
  place(stream, pages, kernels::ExpandedBooleans());
}

void place_decimals(DeviceStream& stream, int32_t stored_bytes, int32_t value_bytes, const ValuePages& pages) {
  if (stored_bytes < 1 || stored_bytes > value_bytes || (value_bytes != 8 && value_bytes != 16)) {
    fail_width("place_decimals", stored_bytes, value_bytes);
  }
  if (value_bytes == 8) return place(stream, pages, kernels::FixedDecimals<int64>{stored_bytes});
  place(stream, pages, kernels::FixedDecimals<int128>{stored_bytes});
}

void place_dictionary_values(DeviceStream& stream, int32_t value_bytes, const void* entries, int64_t num_entries,
                             const ValuePages& pages) {
  switch (value_bytes) {
    case 1:
      return place_entries<uint8>(stream, entries, num_entries, pages);
    case 2:
      return place_entries<uint16>(stream, entries, num_entries, pages);
    case 4:
      return place_entries<uint32>(stream, entries, num_entries, pages);
    case 8:
      return place_entries<uint64>(stream, entries, num_entries, pages);
    case 16:
      return place_entries<uint128>(stream, entries, num_entries, pages);
    default:
      fail_width("place_dictionary_values", 4, value_bytes);
  }
}

void place_dictionary_codes(DeviceStream& stream, int64_t num_entries, const ValuePages& pages) {
  place(stream, pages, kernels::DictionaryCodes{num_entries});
}

void level_bits(DeviceStream& stream, const uint8_t* levels, int64_t num_rows, uint32_t* to) {
  if (num_rows == 0) return;
  launch<kernels::LevelBits<kThreads>>(stream, (num_rows + kThreads - 1) / kThreads, {levels, num_rows, to});
}

std::vector<uint32_t> level_bits_on_host(std::span<const uint8_t> levels) {
  std::vector<uint32_t> words((levels.size() + 31) / 32);
  for (size_t i = 0; i < levels.size(); ++i) words[i / 32] |= static_cast<uint32_t>(levels[i] == 1) << (i % 32);
  return words;
}

}  // namespace accelerant::device
