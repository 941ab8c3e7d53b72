#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::plan {

/// Which rows a join emits, in Spark's terms of left and right.
enum class JoinType : uint8_t {
  Inner,
  LeftOuter,
  RightOuter,
  FullOuter,
  LeftSemi,
  LeftAnti,
  NullAwareAnti,  ///< NOT IN: one key; a null on the right side leaves no row, one on the left matches anything
  LeftSingle,     ///< left outer; a second match of a left row is an error: a correlated scalar subquery
  Existence,      ///< every left row, and whether it has a match
};

/// What Spark leaves out of the side that it streams past a side that it broadcasts, where that one has no rows.
enum class Spared : uint8_t {
  Nothing,
  Keys,  ///< they are not computed
  Rows,  ///< nor is anything else, as nothing comes of them
};

/// Returns the type's name, e.g. "left semi".
const char* to_string(JoinType type);

/// Joins the rows of inputs[0] (left) and inputs[1] (right) whose keys are equal, not null, and for which the condition
/// is true; without keys every pair is tried. One side is held in memory (build), the other one passes by (probe).
///
/// `output` is the columns of both sides, left ones first; for semi and anti joins the left ones; for Existence the
/// left ones and a boolean.
struct Join final : NodeOf<Join, Role::Join> {
  /// Binds BroadcastHashJoinExec, ShuffledHashJoinExec and SortMergeJoinExec.
  static Relation bind_hash(Binding& binding, NodeFields& fields);
  /// Binds BroadcastNestedLoopJoinExec.
  static Relation bind_nested_loop(Binding& binding, NodeFields& fields);
  /// Binds CartesianProductExec.
  static Relation bind_cartesian_product(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Join"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override;
  Partitioning partitioning(std::span<const Partitioning> parted) const override;

  JoinType type = JoinType::Inner;
  bool builds_left = false;
  /// Which side Spark builds: the rows of the other one set the order of its result. None where it sorts both.
  std::optional<bool> spark_builds_left;
  Spared spared = Spared::Nothing;
  /// One output a key, of the same types on both sides; nullptr: no keys. Inputs are positions in the side's columns.
  std::shared_ptr<const expressions::Program> left_keys;
  std::shared_ptr<const expressions::Program> right_keys;
  /// One boolean output; inputs are positions in the left columns followed by the right ones. nullptr: none.
  std::shared_ptr<const expressions::Program> condition;
  /// By column of `output`: whether a node above reads it; others may come out as nulls. Empty: all are read.
  ColumnMask wanted;

  bool wants(size_t column) const { return wanted.empty() || wanted[column]; }
  /// Says which columns of inputs[side] are read, here or above.
  ColumnMask columns_read_of(size_t side) const;
  ColumnMask build_columns_read() const { return columns_read_of(builds_left ? 0 : 1); }

  const NodePtr& build_input() const { return inputs[builds_left ? 0 : 1]; }
  const NodePtr& probe_input() const { return inputs[builds_left ? 1 : 0]; }
  const std::shared_ptr<const expressions::Program>& build_keys() const { return builds_left ? left_keys : right_keys; }
  const std::shared_ptr<const expressions::Program>& probe_keys() const { return builds_left ? right_keys : left_keys; }

  std::vector<ProgramPtr> passing_programs() const override;
  /// A second match may be an error, too.
  bool fails_by_itself() const override;
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  std::vector<ColumnOrigin> origins_of(int column) const override;
  /// A row may go where it makes no difference but to the rows that it is part of.
  bool drops_alike(size_t side) const override;
  double estimate_rows(Estimates& estimates) const override;
  auto members() const {
    return std::tie(left_keys, right_keys, condition, type, builds_left, spark_builds_left, spared, wanted);
  }
  size_t passing_input() const override { return builds_left ? 1 : 0; }
  /// Estimates the share of all pairs of a left and a right row whose keys are equal.
  double equal_share(Estimates& estimates) const;

  /// Returns the columns of its inputs as it emits them; that of an Existence is none of them.
  std::vector<OutputColumn> columns_of_inputs() const;
  /// Says whether rows of only one side are emitted.
  bool emits_left_only() const;
  /// Says whether a probe row without a match is emitted, with nulls for the build side.
  bool keeps_probe_rows() const;
  /// Says whether a build row without a match is emitted, with nulls for the probe side.
  bool keeps_build_rows() const;
  /// Says whether a probe row without a match leaves no trace.
  bool drops_unmatched_probe_rows() const;
  /// Says whether rows are emitted when all probe rows have passed.
  bool emits_build_rows() const { return keeps_build_rows() || (emits_left_only() && builds_left); }
  /// Says whether the join can do with the left side in memory. Not where a pair's failing condition may not count, as
  /// the left row has a match elsewhere.
  bool can_build_left() const;
};

}  // namespace accelerant::plan
