#pragma once

#include "column_functions/definition.h"
#include "columns/gather.h"

namespace accelerant::column_functions {

/// Returns arrays of a child of the only argument's lists: where its lists are, each array is.
inline columns::ColumnPtr lists_of_child(ColumnCall& call, size_t child) {
  const columns::ColumnPtr lists = columns::flatten(call.arguments().front(), call.budget());
  columns::FlatParts parts = lists->parts();
  parts.type = call.type();
  parts.physical = types::PhysicalType::Array;
  parts.children = {lists->children()[child]};
  return columns::Column::flat(std::move(parts));
}

}  // namespace accelerant::column_functions
