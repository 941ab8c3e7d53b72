#pragma once

#include "columns/batch.h"
#include "memory/buffer.h"
#include "types/data_type.h"

/// Streams of Arrow's IPC format for unit tests, written by Arrow: only tests include this.
namespace accelerant::io::test {

/// Writes a batch of the columns that the struct `type` has.
memory::BufferPtr write_arrow_stream(const columns::Batch& batch, const types::DataType& type);

}  // namespace accelerant::io::test
