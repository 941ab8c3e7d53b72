#pragma once

#include "device/device_batch.h"
#include "execution/context.h"
#include "expressions/program.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::codegen {

/// A column that a pipeline reads.
struct InputColumn {
  types::DataType type;
  bool nullable = true;
  device::ColumnLayout layout = device::ColumnLayout::Fixed;

  friend bool operator==(const InputColumn&, const InputColumn&) = default;
};

/// What happens to rows on their way.
struct RowStep {
  enum class Kind : uint8_t {
    Filter,   ///< the outputs of the program are conjuncts: rows stay for which all are true
    Project,  ///< the outputs of the program take the place of the columns
  };
  Kind kind;
  std::shared_ptr<const expressions::Program> program;
};

/// A pipeline between its source and its end: every row passes the steps in order. Columns that no step reads may be of
/// any type.
struct RowSteps {
  std::vector<InputColumn> inputs;
  std::vector<RowStep> steps;
  std::shared_ptr<const execution::Parameters> parameters =
      nullptr;  ///< what programs take; nullptr: not known yet, kernels are of no use
};

bool has_filter(const RowSteps& steps);

}  // namespace accelerant::codegen
