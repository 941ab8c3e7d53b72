#pragma once

#include "types/data_type.h"

#include <arrow/type_fwd.h>

#include <memory>

namespace accelerant::io {

/// Returns the schema that columns::export_schema has for a struct of columns.
/// @throws Error Unsupported for a type that has none
std::shared_ptr<arrow::Schema> arrow_schema(const types::DataType& type);

}  // namespace accelerant::io
