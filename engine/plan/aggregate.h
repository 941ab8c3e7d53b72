#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::plan {

/// Aggregate functions, each with the semantics of Spark's class of the same name.
enum class AggregateKind : uint8_t {
  Sum,
  Average,
  Count,
  Min,
  Max,
  First,
  Last,
  MaxBy,
  MinBy,
  BitAnd,
  BitOr,
  BitXor,
  VariancePop,
  VarianceSamp,
  StddevPop,
  StddevSamp,
  CovPopulation,
  CovSample,
  Corr,
  CollectList,
  CollectSet,
};

/// What the engine has to know of a function wherever it stands.
struct AggregateTraits {
  const char* name;   ///< in SQL, e.g. "avg"
  bool minds_order;   ///< its result depends on the order of its group's rows
  bool skips_values;  ///< Spark evaluates its value only in rows that it then takes over: in others it cannot fail
  bool is_moment;     ///< a variance, standard deviation, covariance or correlation
};

AggregateTraits traits_of(AggregateKind kind);

/// One aggregate function over its arguments. A FILTER clause is already part of the first argument, which is null (and
/// never evaluated) where the clause is not true.
struct AggregateCall {
  AggregateKind kind;
  std::vector<int> arguments;  ///< positions in the outputs of Aggregate::input; none: count(*)
  std::vector<types::DataType> argument_types;
  types::DataType result_type;
  bool nullable = true;  ///< of the result: false for count
  expressions::EvalMode mode =
      expressions::EvalMode::Ansi;  ///< what overflow of sum and avg does, and corr's division by zero
  bool distinct = false;            ///< rows with equal arguments count once a group
  /// First, Last, CollectList and CollectSet: null values do not count. Where they do, a second argument, if there is
  /// one, is null in the rows that a FILTER clause drops.
  bool ignores_nulls = true;
  /// Variance, covariance and correlation of one row: null where this is true, else NaN.
  bool null_on_divide_by_zero = true;
  /// Correlation: null where one side does not vary; else that is a division by zero, which `mode` judges.
  bool null_without_variance = true;
  int expression = -1;  ///< index of the aggregate function in the plan message; errors carry it

  /// Says whether a group may come out in error.
  bool can_fail() const;

  friend bool operator==(const AggregateCall&, const AggregateCall&) = default;
};

/// Groups rows by keys and aggregates each group, from input rows to final results (all of Spark's steps in one).
/// Without keys there is one group, also for no rows. Keys compare as Spark groups: nulls are equal; NaN and -0.0 were
/// normalised by the input program.
struct Aggregate final : NodeOf<Aggregate, Role::Breaker> {
  /// Binds HashAggregateExec, SortAggregateExec and ObjectHashAggregateExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Aggregate"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask&) const override {
    return {inputs_of(*input, inputs.front()->output.size())};
  }
  Partitioning partitioning(std::span<const Partitioning> parted) const override;
  /// What its functions choose becomes a value of a group.
  bool chooses_rows() const override;
  /// Says whether a row or a group may come out in error.
  bool can_fail() const;
  /// Says whether Spark spreads the groups by their keys. Of a plan that is complete.
  bool is_spread() const;
  std::vector<types::DataType> key_types() const;

  /// Outputs: the keys first, then arguments. Inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> input;
  std::vector<OutputColumn> keys;
  std::vector<AggregateCall> calls;
  /// Spark's hash of the keys, a program over the columns [keys...], and the number of partitions into which it spreads
  /// groups by it, if it does not find all of them in one. nullptr: not known.
  std::shared_ptr<const expressions::Program> key_hash;
  int num_partitions = 0;
  /// One task of Spark's reads what all tasks have of few groups.
  bool reads_together = false;
  /// Spark sorts all rows first: what fails below fails before any key or argument does.
  bool spark_sorts = false;
  /// Computes `output` from the columns [keys..., results of calls...].
  std::shared_ptr<const expressions::Program> result;
};

}  // namespace accelerant::plan
