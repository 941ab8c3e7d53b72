#pragma once

#include "device/encoded_batch.h"
#include "io/chunk_reader.h"
#include "memory/budget.h"
#include "memory/buffer.h"

#include <memory>

namespace accelerant::io {

/// Says whether a device decodes the bytes of a chunk as they are stored, if its pages are such as it decodes.
bool is_decoded_as_stored(const ChunkSource& source);

/// Describes a whole column chunk for a device. What snappy has not compressed is decompressed here; where values or
/// pages are such as a device does not decode, so are they all.
/// @param allocate gives the memory that pages are decompressed to
/// @throws Error as ChunkReader::read does
device::EncodedColumn encode_chunk(const ChunkSource& source, const memory::AllocateBuffer& allocate,
                                   const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
