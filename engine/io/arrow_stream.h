#pragma once

#include "columns/batch.h"
#include "memory/buffer.h"
#include "types/data_type.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// Reads a stream of Arrow's IPC format. Values are shared with `bytes` where they are aligned, others converted into
/// memory charged to `budget`.
/// @param type a struct of the columns: the stream's schema must be the one that columns::export_schema has for it
/// @throws Error Unsupported for another schema, Internal for a malformed stream
std::vector<columns::Batch> read_arrow_stream(const memory::BufferPtr& bytes, const types::DataType& type,
                                              const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
