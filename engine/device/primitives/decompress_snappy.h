#pragma once

#include "device/kernels/decompress_snappy.h"
#include "device/page_status.h"
#include "device/stream.h"

#include <cstdint>
#include <span>

namespace accelerant::device {

using kernels::SnappyBlock;

/// Enqueues: for each block, the `to_bytes` bytes that it stands for, and statuses[i] = what was found in block i,
/// which is not sound where it stands for another number. Blocks may hold anything: nothing is read but a block and
/// what it made, nothing is written but `to`. All is device memory, `blocks` included.
void decompress_snappy(DeviceStream& stream, const SnappyBlock* blocks, int64_t num_blocks, PageStatus* statuses);

/// Does the same for one block on the host, as plainly as can be; says only whether it is sound.
bool decompress_snappy_on_host(std::span<const uint8_t> from, std::span<uint8_t> to);

}  // namespace accelerant::device
