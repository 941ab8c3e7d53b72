#pragma once

#include "columns/batch.h"
#include "device/encoded_batch.h"
#include "device/pinned_memory.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::gpu_check {

/// A row group, and the rows that it stands for.
struct EncodedRows {
  device::EncodedBatch encoded;
  columns::Batch rows;
};

/// Encodes mixed rows (mixed_rows.h) as a file has them: every encoding that a device decodes is among the columns,
/// with levels in pages' bodies and apart, pages in snappy's format and not. Their bytes are in pinned memory.
EncodedRows make_encoded_rows(int64_t num_rows, device::PinnedMemory& pinned);

/// Returns a block in snappy's format, with a copy wherever bytes came before.
std::vector<uint8_t> compressed(std::span<const uint8_t> bytes);

}  // namespace accelerant::gpu_check
