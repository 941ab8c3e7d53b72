#pragma once

#include "columns/batch.h"
#include "types/integers.h"

#include <cstdint>
#include <string>

/// Values of columns of any encoding, row by row.
namespace accelerant::gpu_check {

/// Appends bytes that say what a row's value is, null included; a decimal's are those of 128 bits, all NaN
/// have the same.
void append_cell(const columns::Column& column, int64_t row, std::string& to);

/// Returns a value that is not null, as an integer; of a double, one of the same order.
int128 integer_at(const columns::Column& column, int64_t row);
double double_at(const columns::Column& column, int64_t row);

/// Says where two batches without selections differ; empty where they do not.
std::string difference(const columns::Batch& found, const columns::Batch& expected);

}  // namespace accelerant::gpu_check
