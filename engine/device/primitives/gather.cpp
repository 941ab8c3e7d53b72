#include "device/primitives/gather.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

namespace accelerant::device {

namespace {

constexpr int64_t kThreads = 128;

int64_t num_blocks(int64_t num_rows) { return (num_rows + kThreads - 1) / kThreads; }

template <class Value>
void gather_values(DeviceStream& stream, const void* from, const int32_t* rows, int64_t num_rows, void* to) {
  launch<kernels::Gather<Value, kThreads>>(stream, num_blocks(num_rows),
                                           {static_cast<const Value*>(from), rows, num_rows, static_cast<Value*>(to)});
}

}  // namespace

void gather(DeviceStream& stream, int32_t value_bytes, const void* from, const int32_t* rows, int64_t num_rows,
            void* to) {
  if (num_rows == 0) return;
  switch (value_bytes) {
    case 1:
      return gather_values<uint8>(stream, from, rows, num_rows, to);
    case 2:
      return gather_values<uint16>(stream, from, rows, num_rows, to);
    case 4:
      return gather_values<uint32>(stream, from, rows, num_rows, to);
    case 8:
      return gather_values<uint64>(stream, from, rows, num_rows, to);
    case 16:
      return gather_values<uint128>(stream, from, rows, num_rows, to);
    default:
      throw Error(ErrorKind::Internal, "gather: values of " + std::to_string(value_bytes) + " bytes");
  }
}

void gather_bits(DeviceStream& stream, const uint8_t* from, const int32_t* rows, int64_t num_rows, uint32_t* to) {
  if (num_rows == 0) return;
  launch<kernels::GatherBits<kThreads>>(stream, num_blocks(num_rows), {from, rows, num_rows, to});
}

std::vector<uint32_t> gather_bits_on_host(const uint8_t* from, std::span<const int32_t> rows) {
  std::vector<uint32_t> words((rows.size() + 31) / 32);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool bit = rows[i] >= 0 && (from == nullptr || bits::get(from, rows[i]));
    words[i / 32] |= static_cast<uint32_t>(bit) << (i % 32);
  }
  return words;
}

}  // namespace accelerant::device
