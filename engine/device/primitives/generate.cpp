#include "device/primitives/generate.h"

#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

namespace accelerant::device {

namespace {

constexpr int64_t kThreads = 128;

template <class Value>
void generate_values(DeviceStream& stream, const RandomColumn& column, int64_t num_rows, void* to) {
  launch<kernels::Generate<Value, kThreads>>(stream, (num_rows + kThreads - 1) / kThreads,
                                             {column, num_rows, static_cast<Value*>(to)});
}

}  // namespace

void generate(DeviceStream& stream, const RandomColumn& column, int64_t num_rows, int32_t value_bytes, void* to) {
  if (num_rows == 0) return;
  if (value_bytes == 4) return generate_values<int32>(stream, column, num_rows, to);
  ACC_CHECK(value_bytes == 8);
  generate_values<int64>(stream, column, num_rows, to);
}

}  // namespace accelerant::device
