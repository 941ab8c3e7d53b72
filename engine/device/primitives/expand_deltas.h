#pragma once

#include "device/kernels/expand_deltas.h"
#include "device/page_status.h"
#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

using kernels::DeltaStream;

/// Enqueues: for each stream of Parquet's DELTA_BINARY_PACKED its first `num_values` values, as integers of
/// `value_bytes`, 4 (the low bytes) or 8, and statuses[i] = what was found in stream i. Their data may be anything:
/// only its bytes are read, and only `to` is written. All is device memory, `streams` included.
void expand_deltas(DeviceStream& stream, int32_t value_bytes, const DeltaStream* streams, int64_t num_streams,
                   PageStatus* statuses);

/// Does the same for one stream on the host, as plainly as can be; says only whether it is sound.
bool expand_deltas_on_host(std::span<const uint8_t> data, int64_t num_values, std::vector<int64_t>& to);

}  // namespace accelerant::device
