#include "device/primitives/expand_deltas.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <optional>
#include <string>

namespace accelerant::device {

namespace {

/// Takes numbers from the front of some data, nothing past its end.
class Front {
 public:
  explicit Front(std::span<const uint8_t> data) : data_(data) {}

  std::optional<uint64_t> take_varint() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64 && !data_.empty(); shift += 7) {
      const uint64_t byte = take(1)->front();
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    return std::nullopt;
  }
  std::optional<std::span<const uint8_t>> take(uint64_t num_bytes) {
    if (num_bytes > data_.size()) return std::nullopt;
    const auto taken = data_.first(num_bytes);
    data_ = data_.subspan(num_bytes);
    return taken;
  }

 private:
  std::span<const uint8_t> data_;
};

uint64_t of_zigzag(uint64_t number) { return number % 2 == 0 ? number / 2 : ~(number / 2); }

uint64_t packed_at(std::span<const uint8_t> packed, uint64_t i, uint64_t bit_width) {
  uint64_t value = 0;
  for (uint64_t bit = 0; bit < bit_width; ++bit) {
    value |= static_cast<uint64_t>(bits::get(packed.data(), static_cast<int64_t>(i * bit_width + bit))) << bit;
  }
  return value;
}

struct Head {
  uint64_t num_miniblocks;
  uint64_t miniblock_size;
  uint64_t num_values;
  uint64_t first_value;
};

constexpr uint64_t kMost = uint64_t{1} << 31;

std::optional<Head> take_head(Front& front) {
  const auto block_size = front.take_varint();
  const auto num_miniblocks = front.take_varint();
  const auto num_values = front.take_varint();
  const auto first_value = front.take_varint();
  if (!block_size || !num_miniblocks || !num_values || !first_value) return std::nullopt;
  if (*num_miniblocks == 0 || *block_size == 0 || *block_size >= kMost || *num_values >= kMost ||
      *block_size % *num_miniblocks != 0 || *block_size / *num_miniblocks % 8 != 0) {
    return std::nullopt;
  }
  return Head{*num_miniblocks, *block_size / *num_miniblocks, *num_values, of_zigzag(*first_value)};
}

/// Appends the values of a block, up to `num_values` in all.
bool take_block(Front& front, const Head& head, size_t num_values, std::vector<int64_t>& to) {
  const auto least = front.take_varint();
  const auto widths = front.take(head.num_miniblocks);
  if (!least || !widths) return false;
  for (const uint8_t bit_width : *widths) {
    if (to.size() == num_values) return true;
    const auto packed = front.take(head.miniblock_size / 8 * bit_width);
    if (bit_width > 64 || !packed) return false;
    for (uint64_t i = 0; i < head.miniblock_size && to.size() < num_values; ++i) {
      const uint64_t delta = of_zigzag(*least) + packed_at(*packed, i, bit_width);
      to.push_back(static_cast<int64_t>(static_cast<uint64_t>(to.back()) + delta));
    }
  }
  return true;
}

}  // namespace

void expand_deltas(DeviceStream& stream, int32_t value_bytes, const DeltaStream* streams, int64_t num_streams,
                   PageStatus* statuses) {
  if (num_streams == 0) return;
  switch (value_bytes) {
    case 4:
      return launch<kernels::ExpandDeltas<uint32, 128>>(stream, num_streams, {streams, statuses});
    case 8:
      return launch<kernels::ExpandDeltas<uint64, 128>>(stream, num_streams, {streams, statuses});
    default:
      throw Error(ErrorKind::Internal, "expand_deltas: integers of " + std::to_string(value_bytes) + " bytes");
  }
}

bool expand_deltas_on_host(std::span<const uint8_t> data, int64_t num_values, std::vector<int64_t>& to) {
  to.clear();
  Front front(data);
  const std::optional<Head> head = take_head(front);
  if (!head || static_cast<uint64_t>(num_values) > head->num_values) return false;
  if (num_values > 0) to.push_back(static_cast<int64_t>(head->first_value));
  while (to.size() < static_cast<size_t>(num_values)) {
    if (!take_block(front, *head, static_cast<size_t>(num_values), to)) return false;
  }
  return true;
}

}  // namespace accelerant::device
