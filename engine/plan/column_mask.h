#pragma once

#include "expressions/program.h"

#include <cstddef>
#include <vector>

namespace accelerant::plan {

/// Which columns of a node, or of one of its inputs, are read: one entry a column.
using ColumnMask = std::vector<bool>;

/// Adds the columns that a program reads; a program that is none reads nothing.
inline void add_inputs(ColumnMask& mask, const expressions::Program* program) {
  if (!program) return;
  for (const int column : program->inputs()) mask[static_cast<size_t>(column)] = true;
}

/// Returns the columns that a program reads of an input of so many columns.
inline ColumnMask inputs_of(const expressions::Program& program, size_t num_columns) {
  ColumnMask mask(num_columns, false);
  add_inputs(mask, &program);
  return mask;
}

}  // namespace accelerant::plan
