#include "device/primitives/decompress_snappy.h"

#include "device/kernels/list.h"
#include "device/launch.h"

#include <optional>

namespace accelerant::device {

namespace {

/// Takes numbers of some bytes from the front of some data, the least first; nothing past its end.
class Front {
 public:
  explicit Front(std::span<const uint8_t> data) : data_(data) {}

  bool is_empty() const { return data_.empty(); }
  std::optional<uint64_t> take(size_t num_bytes) {
    if (num_bytes > data_.size()) return std::nullopt;
    uint64_t number = 0;
    for (size_t i = 0; i < num_bytes; ++i) number |= static_cast<uint64_t>(data_[i]) << (8 * i);
    data_ = data_.subspan(num_bytes);
    return number;
  }

 private:
  std::span<const uint8_t> data_;
};

bool makes_literal(Front& from, uint64_t length, std::span<uint8_t> to, size_t& made) {
  for (uint64_t i = 0; i < length; ++i) {
    const std::optional<uint64_t> byte = from.take(1);
    if (!byte || made == to.size()) return false;
    to[made++] = static_cast<uint8_t>(*byte);
  }
  return true;
}

bool makes_copy(uint64_t offset, uint64_t length, std::span<uint8_t> to, size_t& made) {
  if (offset == 0 || offset > made || length > to.size() - made) return false;
  for (uint64_t i = 0; i < length; ++i, ++made) to[made] = to[made - offset];
  return true;
}

bool makes_element(Front& from, std::span<uint8_t> to, size_t& made) {
  const uint64_t tag = *from.take(1);
  const uint64_t upper = tag >> 2;
  if ((tag & 3) == 0) {
    const std::optional<uint64_t> longer = upper < 60 ? upper : from.take(upper - 59);
    return longer && makes_literal(from, *longer + 1, to, made);
  }
  constexpr size_t kOffsetBytes[] = {0, 1, 2, 4};
  const std::optional<uint64_t> offset = from.take(kOffsetBytes[tag & 3]);
  if (!offset) return false;
  if ((tag & 3) == 1) return makes_copy(*offset | (upper >> 3) << 8, (upper & 7) + 4, to, made);
  return makes_copy(*offset, upper + 1, to, made);
}

}  // namespace

void decompress_snappy(DeviceStream& stream, const SnappyBlock* blocks, int64_t num_blocks, PageStatus* statuses) {
  if (num_blocks == 0) return;
  launch<kernels::DecompressSnappy<128>>(stream, num_blocks, {blocks, statuses});
}

bool decompress_snappy_on_host(std::span<const uint8_t> from, std::span<uint8_t> to) {
  Front front(from);
  uint64_t length = 0;
  for (int shift = 0;; shift += 7) {
    const std::optional<uint64_t> group = shift < 64 ? front.take(1) : std::nullopt;
    if (!group) return false;
    length |= (*group & 0x7f) << shift;
    if (*group < 0x80) break;
  }
  size_t made = 0;
  if (length != to.size()) return false;
  while (!front.is_empty()) {
    if (!makes_element(front, to, made)) return false;
  }
  return made == to.size();
}

}  // namespace accelerant::device
