#pragma once

#include "columns/column.h"
#include "expressions/eval_mode.h"
#include "types/data_type.h"
#include "types/zone_rules.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::functions {
struct Setting;
}  // namespace accelerant::functions

namespace accelerant::expressions {

/// The number of a value in a program; values are numbered in the order they are computed.
using Slot = int;

struct ExternalCall;
struct ProgramParts;

/// Throws Error Unsupported where a function is not to run under the setting that its results depend on.
using SettingCheck = std::function<void(const functions::Setting&)>;

/// Expressions ready to run: values in the order they are computed, and which of them are the outputs. Immutable.
class Program {
 public:
  explicit Program(std::unique_ptr<const ProgramParts> parts);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Positions of the input batch's columns that are read, ascending. Other columns of a batch may be nullptr.
  const std::vector<int>& inputs() const { return inputs_; }
  int num_outputs() const;
  const types::DataType& output_type(int output) const;
  /// Returns the position of the input column that an output is; nullopt: it is computed.
  std::optional<int> input_of(int output) const;
  /// Returns the constant that an output is, a flat column of length 1; nullptr: it is none.
  columns::ColumnPtr constant_of(int output) const;
  /// Says whether a row may come out in error; false is certain.
  bool can_fail() const { return can_fail_; }
  /// Says whether functions outside the engine compute some of it, which may be slow, or seen by whom they belong to.
  bool calls_outside() const;
  /// Returns one line a value, e.g. "#2 = Add(#0, #1) decimal(16,2) ansi", for people.
  std::string to_string() const;
  const ProgramParts& parts() const { return *parts_; }

 private:
  std::unique_ptr<const ProgramParts> parts_;
  std::vector<int> inputs_;
  bool can_fail_ = false;
};

/// A lambda whose body is bound.
struct BoundLambda {
  std::shared_ptr<const Program> program;  ///< of its arguments, and then of values around it
  size_t num_arguments;
  std::vector<Slot> captured;  ///< values around it that it reads
};

/// Builds a program bottom-up. Equal values get one slot (common subexpressions), calls on literals are computed once
/// here (unless they fail: then they fail on the rows that reach them). Every method throws Error{Unsupported} naming
/// what the engine lacks.
///
/// `expression` is always the expression's index in the plan message; errors carry it.
class ProgramBuilder {
 public:
  /// @param check is asked for each function that is called and has a setting; empty: none is
  explicit ProgramBuilder(SettingCheck check = {});
  ~ProgramBuilder();
  ProgramBuilder(ProgramBuilder&&) noexcept;

  /// A builder of a lambda's program, under the same settings.
  ProgramBuilder for_lambda() const;

  /// Column `column` of the input batch; `expression` is an attribute that stands for it.
  Slot input(int column, const types::DataType& type, bool nullable, int expression = -1);
  /// A constant: a flat column of length 1, possibly null.
  Slot literal(columns::ColumnPtr value);
  /// A value that is given to the evaluator under a number.
  Slot parameter(int number, const types::DataType& type);
  /// A call of the function that Spark names `spark_class` (full Java class name), found by argument and result types.
  /// Functions that depend on the time zone take `zone`; nullptr: the plan says none.
  Slot call(std::string_view spark_class, std::vector<Slot> arguments, const types::DataType& result, EvalMode mode,
            int expression, std::shared_ptr<const types::ZoneRules> zone = nullptr);
  /// A call of a function over columns that takes lambdas besides.
  Slot call_with_lambdas(std::string_view spark_class, std::vector<Slot> arguments, std::vector<BoundLambda> lambdas,
                         const types::DataType& result, EvalMode mode, int expression);
  /// Says whether a slot is a call of these arguments that leaves some rows to Spark.
  bool leaves_rows(Slot slot, std::span<const Slot> arguments) const;
  /// Says what computes such rows, from the same arguments.
  void leave_rows_to(Slot slot, ExternalCall call);
  /// n-ary AND, OR of booleans, evaluated left to right as Spark does.
  Slot conjunction(std::vector<Slot> operands);
  Slot disjunction(std::vector<Slot> operands);
  /// CASE WHEN (and IF): the value of the first branch whose condition is true, else `otherwise`, else null.
  Slot case_when(std::vector<std::pair<Slot, Slot>> branches, std::optional<Slot> otherwise,
                 const types::DataType& result);
  /// The first operand that is not null.
  Slot coalesce(std::vector<Slot> operands, const types::DataType& result);
  /// `value IN (list)` with Spark's three-valued result; `list` is a flat column of constants of the value's type,
  /// nulls allowed.
  Slot in_list(Slot value, columns::ColumnPtr list);
  /// A function that lives outside the engine; equal calls of equal arguments are made once.
  Slot callback(ExternalCall call, std::vector<Slot> arguments, const types::DataType& result, int expression);

  /// What another program computes as an output, with column `columns[i]` in the place of its input column i. nullopt
  /// where it reads a column that has none.
  std::optional<Slot> include(const Program& program, int output, std::span<const std::optional<int>> columns);
  /// Likewise of all outputs of a program each of whose input columns has a place.
  std::vector<Slot> include_all(const Program& program, std::span<const std::optional<int>> columns);

  /// The type of a slot; decimals may travel in either physical width.
  const types::DataType& type(Slot slot) const;
  bool nullable(Slot slot) const;
  /// Says whether a row may be in error; false is certain.
  bool can_fail(Slot slot) const;
  /// The slot's value if it is a constant, else nullptr.
  columns::ColumnPtr constant_of(Slot slot) const;

  /// Ends building: a program that computes `outputs` and nothing that they do not need.
  std::shared_ptr<const Program> finish(std::span<const Slot> outputs) &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace accelerant::expressions
