#pragma once

#include "columns/column.h"
#include "plan/value.h"

#include <span>

namespace accelerant::plan {

/// Turns values in Spark's internal form (as in a Literal, docs/design/plan-message.md) into a flat column of `type`.
/// @throws Error Unsupported for a type without an implementation, or a value that is not of the type
columns::ColumnPtr make_constants(std::span<const FieldValue* const> values, const types::DataType& type);

/// Says whether values of a type can be computed with: everything but nested types, calendar intervals and types
/// known by name only.
bool is_implemented(const types::DataType& type);

/// Says whether operators hand on columns of a type: one that is implemented, or nested of such types to any depth.
bool is_carried(const types::DataType& type);

/// Says whether rows can be joined and sorted by columns of a type that is carried: by none with maps, which have no
/// order.
bool may_be_key(const types::DataType& type);

/// Says whether values of a type are floating-point numbers, or have some in them.
bool has_floats(const types::DataType& type);
/// Says whether rows can be grouped by columns of a type that is carried: by maps, too, whose entries Spark sorts
/// before. Spark makes one NaN, and one zero, of all of a key's floats but the keys of maps.
bool may_be_grouped(const types::DataType& type);

}  // namespace accelerant::plan
