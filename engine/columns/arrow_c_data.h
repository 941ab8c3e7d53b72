#pragma once

#include "columns/arrow_abi.h"
#include "columns/batch.h"
#include "columns/column.h"
#include "types/data_type.h"

#include <memory>
#include <string>

namespace accelerant::columns {

/// Describes a column in plain Arrow: utf8 and binary with int32 offsets, decimal128, bit-packed booleans, no
/// dictionary. The caller owns `out` and calls its release.
/// @throws Error Unsupported for a type that the engine does not implement
void export_schema(const types::DataType& type, const std::string& name, bool nullable, ArrowSchema* out);

/// Exports a column of any encoding, as `export_schema` describes it. Fixed-width buffers are shared, the rest is
/// converted into memory charged to `budget`. Nothing is exported when an
/// exception leaves.
/// @throws Error Resource when string bytes or list elements don't fit 31 bits (see `fits_export`)
void export_column(const ColumnPtr& column, const std::shared_ptr<memory::Budget>& budget, ArrowArray* out);

/// Exports a batch without selection or errors as a struct array.
void export_batch(const Batch& batch, const std::shared_ptr<memory::Budget>& budget, ArrowArray* out);

/// Says whether each column's string bytes fit int32 offsets; if not, the caller exports halves.
bool fits_export(const Batch& batch);

/// Returns the type that a plain Arrow schema describes (the inverse of `export_schema`).
/// @throws Error Unsupported naming the format
types::DataType import_type(const ArrowSchema& schema);

/// Takes over `array` (its release is called exactly once: when the last buffer dies, or before an exception leaves)
/// and returns it as a flat column of `type`. Fixed-width values and string bytes are shared, the rest is converted
/// into memory charged to `budget`.
/// @throws Error User when the array contradicts itself or the type: lengths, offsets, number of buffers or children
ColumnPtr import_column(ArrowArray* array, const types::DataType& type, const std::shared_ptr<memory::Budget>& budget);

/// Takes over a struct array as a batch: one column a member of `type`. Its own nulls are refused.
Batch import_batch(ArrowArray* array, const types::DataType& type, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::columns
