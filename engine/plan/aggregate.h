#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <vector>

namespace accelerant::plan {

/// Aggregate functions, each with the semantics of Spark's class of the same name.
enum class AggregateKind : uint8_t { Sum, Average, Count, Min, Max };

/// Returns the function's name in SQL, e.g. "avg".
const char* to_string(AggregateKind kind);

/// One aggregate function over one argument; nulls are skipped. A FILTER clause is already part of the argument, which
/// is null (and never evaluated) where the clause is not true; so is the null rule of count(a, b, ...).
struct AggregateCall {
  AggregateKind kind;
  int argument = -1;              ///< position in the outputs of Aggregate::input; -1: count(*)
  types::DataType argument_type;  ///< meaningless for count(*)
  types::DataType result_type;
  bool nullable = true;                                      ///< of the result: false for count
  expressions::EvalMode mode = expressions::EvalMode::Ansi;  ///< what overflow of sum and avg does
  int expression = -1;  ///< index of the aggregate function in the plan message; errors carry it

  friend bool operator==(const AggregateCall&, const AggregateCall&) = default;
};

/// Groups rows by keys and aggregates each group, from input rows to final results (Spark's partial and final step in
/// one). Without keys there is one group, also for no rows. Keys compare as Spark groups: nulls are equal; NaN and -0.0
/// were normalised by the input program.
struct Aggregate final : NodeOf<Aggregate, NodeKind::Aggregate> {
  std::string describe() const override;

  /// Outputs: the keys first, then arguments. Inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> input;
  std::vector<OutputColumn> keys;
  std::vector<AggregateCall> calls;
  /// Computes `output` from the columns [keys..., results of calls...].
  std::shared_ptr<const expressions::Program> result;
};

}  // namespace accelerant::plan
