#pragma once

#include "device/kernels/expand_runs.h"
#include "device/page_status.h"
#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

using kernels::RunStream;

/// Enqueues: for each stream, the first `num_values` integers of its runs (definition levels, dictionary indices), see
/// https://parquet.apache.org/docs/file-format/data-pages/encodings/, as unsigned integers of `value_bytes` (1 or 4),
/// and statuses[i] = what was found in stream i. Streams are as wide as such an integer at the most. Their data may be
/// anything: only its bytes are read. All is device memory, `streams` included.
void expand_runs(DeviceStream& stream, int32_t value_bytes, const RunStream* streams, int64_t num_streams,
                 PageStatus* statuses);

/// Does the same for one stream on the host, as plainly as can be.
PageStatus expand_runs_on_host(std::span<const uint8_t> data, int32_t bit_width, int64_t num_values,
                               std::vector<uint32_t>& to);

}  // namespace accelerant::device
