#pragma once

#include "columns/column.h"

#include <memory>
#include <span>

namespace accelerant::operators {

/// Returns values of a nested type as bytes that are equal exactly when the values are: null within is null, one NaN,
/// one zero, a map its entries in their order. A row that is null stays so.
columns::ColumnPtr encode_nested_keys(const columns::Column& column, const std::shared_ptr<memory::Budget>& budget);

/// Reads such bytes back.
/// @param keys a flat column
columns::ColumnPtr decode_nested_keys(const types::DataType& type, const columns::Column& keys,
                                      const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::operators
