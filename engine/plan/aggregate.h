#pragma once

#include "aggregates/function.h"
#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// One aggregate function over its arguments. A FILTER clause is already part of the first argument, which is null (and
/// never evaluated) where the clause is not true.
struct AggregateCall : aggregates::Call {
  std::vector<int> arguments;  ///< positions in the outputs of Aggregate::input; none: count(*)
  bool nullable = true;        ///< of the result: false for count

  friend bool operator==(const AggregateCall&, const AggregateCall&) = default;
};

/// Says whether calls compute the same, wherever they stand in the query.
bool is_same(const AggregateCall& a, const AggregateCall& b);

/// Returns a call as aggregates::call_of makes it, over some outputs of Aggregate::input.
AggregateCall aggregate_call(std::string_view name, std::vector<int> arguments,
                             std::vector<types::DataType> argument_types, types::DataType result_type);

/// How Spark spreads groups over partitions.
struct Spreading {
  /// Spark's hash of the keys, a program over the columns [keys...], and the number of partitions into which it spreads
  /// groups by it, if it does not find all of them in one. nullptr: not known.
  std::shared_ptr<const expressions::Program> key_hash;
  int num_partitions = 0;
  /// One task of Spark's reads what all tasks have of few groups.
  bool reads_together = false;
};

bool is_same(const Spreading& a, const Spreading& b);

/// Groups rows by keys and aggregates each group, from input rows to final results (all of Spark's steps in one).
/// Without keys there is one group, also for no rows. Keys compare as Spark groups: nulls are equal; NaN and -0.0 were
/// normalised by the input program.
struct Aggregate final : NodeOf<Aggregate, Role::Breaker>, Spreading {
  /// Binds HashAggregateExec, SortAggregateExec and ObjectHashAggregateExec: what does all in one to an Aggregate,
  /// others to a PartialAggregate, a MergeAggregate or a FinalAggregate.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Aggregate"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask&) const override {
    return {inputs_of(*input, inputs.front()->output.size())};
  }
  Partitioning partitioning(std::span<const Partitioning> parted) const override;
  /// What its functions choose becomes a value of a group.
  bool chooses_rows() const override;
  std::vector<ProgramPtr> passing_programs() const override { return {result}; }
  /// A group may fail, too.
  bool fails_by_itself() const override;
  /// Of its keys: all rows of a group have the same.
  std::vector<ColumnOrigin> origins_of(int column) const override;
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  double estimate_rows(Estimates& estimates) const override;
  ValueEstimate estimate_column(int column, Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  /// What makes its groups, and what it computes of them.
  auto members_of_groups() const {
    return std::tuple_cat(std::tie(input, calls, spark_sorts, adds_few_in_order, static_cast<const Spreading&>(*this)),
                          std::tuple(keys.size()));
  }
  auto members() const { return std::tuple_cat(members_of_groups(), std::tie(result)); }
  /// Says whether it makes the same groups as another one, and computes the same of them, whatever of it is emitted.
  bool has_same_groups(const Aggregate& other) const;
  /// Says whether Spark spreads the groups by their keys. Of a plan that is complete.
  bool is_spread() const;
  std::vector<types::DataType> key_types() const;

  /// Outputs: the keys first, then arguments. Inputs are positions in the input's columns.
  std::shared_ptr<const expressions::Program> input;
  std::vector<OutputColumn> keys;
  std::vector<AggregateCall> calls;
  /// Spark sorts all rows first: what fails below fails before any key or argument does.
  bool spark_sorts = false;
  /// Where only few rows come, Spark's order shows in sums of floating-point numbers, which it adds up in two steps.
  bool adds_few_in_order = false;
  /// Computes `output` from the columns [keys..., results of calls...].
  std::shared_ptr<const expressions::Program> result;
};

}  // namespace accelerant::plan
