#pragma once

#include "expressions/column_function.h"
#include "expressions/kernel.h"
#include "expressions/program.h"
#include "types/decimal.h"
#include "types/zone_rules.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace accelerant::expressions {

class ConstantSet;

/// What an instruction does with its arguments.
enum class Operation : uint8_t {
  Input,       ///< a column of the batch
  Literal,     ///< a constant
  Parameter,   ///< a value known when the program runs
  Call,        ///< a function of the registry
  ColumnCall,  ///< likewise, over columns
  Retype,      ///< the same values under another type
  And,         ///< of two booleans
  Or,          ///< of two booleans
  CaseWhen,    ///< condition, value, condition, value, ..., [otherwise]
  Coalesce,    ///< the first value that is not null
  InList,      ///< membership in a constant set
  Callback,    ///< a function outside the engine
};

/// What another value of a row must be for a value to count in that row.
struct Guard {
  enum class Demand : uint8_t { True, NotTrue, NotFalse, Null };

  Slot slot;  ///< computed before; a boolean unless the demand is Null
  Demand demand;
};

/// A call of a function that lives outside the engine.
struct ExternalCall {
  int number;  ///< among the functions that a run has
  /// Somebody may notice how often it is called; what nobody watches is called once a value of a dictionary.
  bool is_watched = true;

  friend bool operator==(const ExternalCall&, const ExternalCall&) = default;
};

/// A lambda among the arguments of a call.
struct LambdaCode {
  std::shared_ptr<const Program> program;  ///< of its arguments, and then of values around it
  size_t num_arguments;
  size_t first_captured;  ///< among the call's arguments: the values around it, those of one lambda after another's
};

/// One value of a program and how it is computed.
struct Instruction {
  Instruction(Operation what, types::DataType result, bool may_be_null)
      : operation(what), type(std::move(result)), nullable(may_be_null) {}

  Operation operation;
  types::DataType type;
  bool nullable;
  bool can_fail = false;  ///< its own error lane, or an argument's, may hold errors
  std::vector<Slot> arguments;
  std::vector<Guard> guards;  ///< the value counts only in rows where all of them hold
  int expression = -1;
  EvalMode mode = EvalMode::Ansi;

  int column = -1;                               ///< Input
  int parameter = -1;                            ///< Parameter: its number
  columns::ColumnPtr constant;                   ///< Literal: flat, length 1
  const Function* function = nullptr;            ///< Call, ColumnCall
  const Overload* overload = nullptr;            ///< Call
  types::DecimalContext decimal;                 ///< Call
  std::shared_ptr<const types::ZoneRules> zone;  ///< Call of an overload that uses one
  std::shared_ptr<const ConstantSet> set;        ///< InList
  std::vector<LambdaCode> lambdas;               ///< ColumnCall
  std::optional<ExternalCall> external;  ///< Callback; of others, what computes the rows that they leave to Spark
};

/// Returns the Spark class of a call's function without its package, e.g. "EqualTo".
inline std::string_view class_of(const Instruction& call) {
  const std::string_view name = call.function->description->spark_class;
  return name.substr(name.rfind('.') + 1);
}

/// Says whether a lambda of a call reads values around it.
inline bool captures_values(const Instruction& call) {
  return !call.lambdas.empty() && call.lambdas.front().first_captured < call.arguments.size();
}

/// Says whether an instruction is null wherever an argument is null, and looks at nothing else than rows' values.
inline bool is_strict(const Instruction& instruction) {
  if (instruction.operation == Operation::ColumnCall) {
    return !instruction.function->columns->sees_nulls && !captures_values(instruction);
  }
  return instruction.operation == Operation::Retype || instruction.operation == Operation::InList ||
         (instruction.operation == Operation::Call && !instruction.overload->sees_nulls);
}

/// Says whether an instruction makes strings that may be much longer than what it makes them of.
inline bool builds_strings(const Instruction& instruction) {
  return instruction.operation == Operation::Call && instruction.overload->kernel.write != nullptr;
}

/// Says whether an instruction is computed in no other rows than those that count: it builds strings or nested values,
/// or calls what lives outside the engine, may be slow, and may be watched.
inline bool skips_rows(const Instruction& instruction) {
  return builds_strings(instruction) || instruction.operation == Operation::ColumnCall ||
         instruction.operation == Operation::Callback;
}

/// What a program is made of: instructions in the order they run; a slot is an index into them.
struct ProgramParts {
  std::vector<Instruction> instructions;
  std::vector<Slot> outputs;
  /// Instructions [0, output_ends[k]) compute outputs [0, k].
  std::vector<int> output_ends;
  std::vector<int> last_reads;    ///< the last instruction that reads a slot, or -1
  std::vector<int> last_outputs;  ///< the last output that is a slot, or -1
};

/// Says whether a program calls functions that leave some rows to Spark.
inline bool leaves_rows(const ProgramParts& parts) {
  return std::ranges::any_of(parts.instructions, [](const Instruction& instruction) {
    return instruction.function && instruction.function->description->needs_spark;
  });
}

}  // namespace accelerant::expressions
