#pragma once

#include "aggregates/registry.h"
#include "codegen/emulator_compiler.h"
#include "codegen/fused_groups.h"
#include "codegen/row_steps.h"
#include "columns/batch.h"
#include "columns/gather.h"
#include "device/device_batch.h"
#include "device/emulator/test_orders.h"
#include "expressions/evaluator.h"
#include "expressions/example_values.h"
#include "expressions/program.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Pipelines for tests, over batches whose values are written as text, and what the host makes of them.
namespace accelerant::codegen::test {

using expressions::EvalMode;
using expressions::ProgramBuilder;
using expressions::Slot;
using Texts = std::vector<std::string>;

/// Returns the compiler that all tests share: the same kernel is compiled once.
inline KernelCompiler& compiler() {
  static EmulatorCompiler instance;
  return instance;
}

inline const std::shared_ptr<memory::Budget>& budget() { return memory::process_budget(); }

/// Returns a call over an output of some type; of none it counts rows.
inline GroupCall aggregate(std::string_view name, int argument, const char* type, const char* result) {
  std::vector<types::DataType> types;
  if (argument >= 0) types.push_back(expressions::parse_type(type));
  aggregates::Call call = aggregates::call_of(name, std::move(types), expressions::parse_type(result));
  call.mode = expressions::EvalMode::Legacy;
  return {std::move(call), argument < 0 ? std::vector<int>() : std::vector<int>{argument}};
}

/// A batch and the steps over it, built column by column and step by step.
class PipelineTest : public testing::Test {
 protected:
  void column(const char* type, const Texts& texts, bool nullable = true) {
    add(expressions::parse_column(type, texts), nullable);
  }
  void add(columns::ColumnPtr column, bool nullable = true) {
    const bool is_string = column->physical() == types::PhysicalType::String;
    const auto layout = !is_string                ? device::ColumnLayout::Fixed
                        : column->is_dictionary() ? device::ColumnLayout::Codes
                                                  : device::ColumnLayout::Strings;
    batch_.num_rows = column->length();
    steps_.inputs.push_back({column->type(), nullable, layout});
    types_.emplace_back(column->type(), nullable);
    batch_.columns.push_back(std::move(column));
  }

  Slot input(int column) {
    const auto& [type, nullable] = types_[static_cast<size_t>(column)];
    return builder_->input(column, type, nullable);
  }
  Slot literal(const char* example) { return builder_->literal(expressions::parse_example(example)); }
  Slot call(const char* name, std::vector<Slot> arguments, const char* result, EvalMode mode = EvalMode::Ansi) {
    return builder_->call(std::string("org.apache.spark.sql.catalyst.expressions.") + name, std::move(arguments),
                          expressions::parse_type(result), mode, 0);
  }

  /// Ends a step; `input` counts from the columns that it makes from then on.
  void filter(const std::vector<Slot>& conjuncts) { end_step(RowStep::Kind::Filter, conjuncts); }
  void project(const std::vector<Slot>& outputs) {
    end_step(RowStep::Kind::Project, outputs);
    types_.clear();
    const expressions::Program& program = *steps_.steps.back().program;
    for (int i = 0; i < program.num_outputs(); ++i) types_.emplace_back(program.output_type(i), true);
  }

  /// Goes back to no columns and no steps.
  void start_again() {
    batch_ = {};
    steps_ = {};
    types_.clear();
    builder_.emplace();
  }

  /// What the next step is built with.
  ProgramBuilder& builder() { return *builder_; }

  /// Runs the steps on the host.
  columns::Batch on_host() const { return on_host(batch_); }
  columns::Batch on_host(columns::Batch batch) const {
    for (const RowStep& step : steps_.steps) {
      expressions::Evaluator evaluator(step.program, budget(), 0);
      batch = step.kind == RowStep::Kind::Filter ? evaluator.filter(std::move(batch)) : evaluator.project(batch);
    }
    return columns::compact(std::move(batch), budget());
  }

  /// Copies the batch to a device.
  device::DeviceBatch on_device(device::DeviceStream& stream) const { return copied(stream, batch_); }
  static device::DeviceBatch copied(device::DeviceStream& stream, const columns::Batch& batch) {
    std::vector<int> positions(batch.columns.size());
    std::iota(positions.begin(), positions.end(), 0);
    return device::upload(stream, batch, positions, budget());
  }

  /// Shows the rows of a batch, column after column.
  static std::vector<Texts> shown(const columns::Batch& batch) {
    std::vector<Texts> columns;
    for (const columns::ColumnPtr& column : batch.columns) {
      Texts& texts = columns.emplace_back();
      for (int64_t row = 0; row < batch.num_rows; ++row) texts.push_back(expressions::format_row(*column, row));
    }
    return columns;
  }

  columns::Batch batch_;
  RowSteps steps_;

 private:
  void end_step(RowStep::Kind kind, const std::vector<Slot>& outputs) {
    steps_.steps.push_back({kind, std::move(*builder_).finish(outputs)});
    builder_.emplace();
  }

  std::optional<ProgramBuilder> builder_{std::in_place};
  std::vector<std::pair<types::DataType, bool>> types_;
};

}  // namespace accelerant::codegen::test
