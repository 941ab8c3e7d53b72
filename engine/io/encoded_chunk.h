#pragma once

#include "device/encoded_batch.h"
#include "io/chunk_reader.h"
#include "memory/budget.h"

#include <memory>

namespace accelerant::io {

/// Describes a whole column chunk for a device. What snappy has not compressed is decompressed here; where values or
/// pages are such as a device does not decode, so are they all.
/// @throws Error as ChunkReader::read does
device::EncodedColumn encode_chunk(const ChunkSource& source, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
