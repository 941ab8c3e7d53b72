#pragma once

#include "columns/batch.h"
#include "io/scan.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::io {

/// Puts the rows that Spark makes of lines, each any number of them, in the places of rows that stand for the lines.
/// @param batch without selection; columns of the files are flat
/// @param lists a column of arrays of what Spark requires of the files, one array a line, and errors of lines, which
/// keep the rows that stand for them, in error
/// @param places the rows of the batch that stand for the lines, ascending
columns::Batch put_lists(columns::Batch batch, const columns::Batch& lists, std::span<const int32_t> places,
                         const ScanSpec& spec, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
