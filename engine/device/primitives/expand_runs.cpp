#include "device/primitives/expand_runs.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <algorithm>
#include <string>

namespace accelerant::device {

namespace {

/// Takes bytes and bits from the front of some data.
struct Front {
  std::span<const uint8_t> data;
  int64_t bit = 0;

  bool has(int64_t num_bits) const { return static_cast<int64_t>(data.size()) * 8 - bit >= num_bits; }
  uint64_t take(int64_t num_bits) {
    uint64_t value = 0;
    for (int64_t i = 0; i < num_bits; ++i) value |= static_cast<uint64_t>(bits::get(data.data(), bit++)) << i;
    return value;
  }
};

/// Reads the head of a run: ten groups of seven bits at the most, of which 32 bits may be set.
bool take_header(Front& front, uint64_t& header) {
  header = 0;
  for (int shift = 0; shift < 64 && front.has(8); shift += 7) {
    header |= front.take(7) << shift;
    if (front.take(1) == 0) return header >> 32 == 0;
  }
  return false;
}

/// Takes the integers of a run that are there, up to those that are wanted.
bool take_run(Front& front, int32_t bit_width, size_t num_values, std::vector<uint32_t>& to) {
  uint64_t header = 0;
  if (!take_header(front, header)) return false;
  if ((header & 1) != 0) {
    const int64_t num_integers = static_cast<int64_t>(header >> 1) * 8;
    const int64_t end = std::min(front.bit + num_integers * bit_width, static_cast<int64_t>(front.data.size()) * 8);
    for (int64_t i = 0; i < num_integers && front.bit + bit_width <= end && to.size() < num_values; ++i) {
      to.push_back(static_cast<uint32_t>(front.take(bit_width)));
    }
    front.bit = end;
    return true;
  }
  const int num_bits = (bit_width + 7) / 8 * 8;
  if (!front.has(num_bits)) return false;
  const auto value = static_cast<uint32_t>(front.take(num_bits));
  for (uint64_t left = header >> 1; left > 0 && to.size() < num_values; --left) to.push_back(value);
  return true;
}

}  // namespace

void expand_runs(DeviceStream& stream, int32_t value_bytes, const RunStream* streams, int64_t num_streams,
                 PageStatus* statuses) {
  if (num_streams == 0) return;
  switch (value_bytes) {
    case 1:
      return launch<kernels::ExpandRuns<uint8, 128>>(stream, num_streams, {streams, statuses});
    case 4:
      return launch<kernels::ExpandRuns<uint32, 128>>(stream, num_streams, {streams, statuses});
    default:
      throw Error(ErrorKind::Internal, "expand_runs: integers of " + std::to_string(value_bytes) + " bytes");
  }
}

PageStatus expand_runs_on_host(std::span<const uint8_t> data, int32_t bit_width, int64_t num_values,
                               std::vector<uint32_t>& to) {
  to.clear();
  if (bit_width < 0 || bit_width > 32) return PageStatus::BadWidth;
  Front front{data};
  while (to.size() < static_cast<size_t>(num_values)) {
    if (!take_run(front, bit_width, static_cast<size_t>(num_values), to)) return PageStatus::EndsEarly;
  }
  return PageStatus::Sound;
}

}  // namespace accelerant::device
