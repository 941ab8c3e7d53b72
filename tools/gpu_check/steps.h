#pragma once

#include "codegen/row_steps.h"
#include "columns/column.h"
#include "expressions/program.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::gpu_check {

/// Builds the steps of a pipeline. A step's slots are of no use to the next one, whose columns are those that the last
/// projection made.
class Steps {
 public:
  using Slot = expressions::Slot;

  explicit Steps(std::vector<codegen::InputColumn> inputs);

  Slot column(int position);
  /// A constant: a flat column of one row.
  Slot literal(columns::ColumnPtr value) { return builder_->literal(std::move(value)); }
  /// Calls the function that Spark's class of that name is.
  Slot call(const char* name, std::vector<Slot> arguments, const types::DataType& result,
            expressions::EvalMode mode = expressions::EvalMode::Ansi);

  void filter(const std::vector<Slot>& conjuncts) { end(codegen::RowStep::Kind::Filter, conjuncts); }
  void project(const std::vector<Slot>& outputs);
  codegen::RowSteps finish() { return std::move(steps_); }

 private:
  void end(codegen::RowStep::Kind kind, const std::vector<Slot>& outputs);

  codegen::RowSteps steps_;
  std::vector<std::pair<types::DataType, bool>> types_;  ///< of the columns, and whether they may be null
  std::optional<expressions::ProgramBuilder> builder_{std::in_place};
};

/// Makes a literal of a fixed-width type, of which `Value` is the physical one.
template <class Value>
columns::ColumnPtr make_literal(const types::DataType& type, Value value) {
  columns::FlatBuilder builder(type, type.physical(), 1, memory::process_budget());
  *builder.values<Value>() = value;
  return builder.finish();
}

}  // namespace accelerant::gpu_check
