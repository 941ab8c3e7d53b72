#pragma once

#include "plan/aggregate.h"
#include "plan/node.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// The reason against steps that do not belong together.
inline constexpr const char* kUnmatchedSteps = "a final aggregate over a partial one that does not match";

/// What a step of an aggregation does with a function.
enum class StepMode : uint8_t { TakesRows, Merges, Ends };

/// One function in a step of an aggregation.
struct StepCall {
  std::string spark_class;
  StepMode mode = StepMode::TakesRows;
  bool is_distinct = false;
  bool has_filter = false;
  int64_t result_id = -1;             ///< the same in all steps, but for a DISTINCT function
  std::optional<AggregateCall> call;  ///< of one that takes in rows, over the outputs of the step's `input`
};

/// What the steps have in common into which Spark splits an aggregation: Partial and Final; with DISTINCT functions of
/// one set of arguments and others beside them, Partial and PartialMerge by keys and arguments, then PartialMerge (of
/// the DISTINCT ones: Partial) and Final by keys. Their buffers are Spark's, and only the next step knows them.
struct AggregateStep {
  std::vector<OutputColumn> keys;
  std::vector<StepCall> calls;
  /// Outputs: the keys first, then arguments of functions that take in rows. nullptr where `refusal` is not empty.
  ProgramPtr input;
  ColumnPositions given_keys;  ///< by column that it emits: which key it is; none for a buffer
  /// Why its part of the aggregate is unsupported, which is what the last step is refused for.
  std::string refusal;
};

/// The base of the struct of a step. A query does all steps in one: its rewrites leave none of these nodes, or refuse
/// it.
template <class T>
struct StepOf : NodeOf<T, Role::Breaker>, AggregateStep {
  std::string describe() const final {
    return "keys=" + std::to_string(keys.size()) + " calls=" + std::to_string(calls.size());
  }
  auto members() const { return std::tie(input); }
  bool fails_by_itself() const final { return false; }
  std::vector<ColumnOrigin> origins_of(int) const final { return {}; }
  /// Comes after the steps of a query are one.
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions>) final {
    return this->stay_above(std::move(changed));
  }
  bool drops_alike(size_t) const final { return false; }
  bool equals(const T&) const { return false; }
  double estimate_rows(Estimates& estimates) const final { return estimate_rows_of_input(*this, estimates); }
};

/// Returns a node as a step; nullptr if it is none that another step has to follow.
const AggregateStep* unended_step(const Node& node);

}  // namespace accelerant::plan
