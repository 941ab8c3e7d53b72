#pragma once

#include "io/file_writer.h"
#include "memory/budget.h"

#include <memory>
#include <string>

namespace accelerant::io {

/// Creates a Parquet file, as WriteFormat::open does.
std::unique_ptr<FileWriter> open_parquet_writer(const WriteSpec& spec, const std::string& uri,
                                                const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
