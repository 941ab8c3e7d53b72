#pragma once

#include "io/external_table.h"
#include "operators/island_table.h"
#include "operators/operator.h"
#include "operators/stage_results.h"
#include "plan/node.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>

namespace accelerant::operators {
class DeviceAggregation;
class SetAsideRows;
}  // namespace accelerant::operators

namespace accelerant::spill {
struct SpillTarget;
}

namespace accelerant::planner {

struct Stage;

/// Rows that threads around the engine compute, by the plan-message index of the node that reads them.
struct Islands {
  std::map<int, std::shared_ptr<operators::IslandTable>> tables;
  std::shared_ptr<operators::IslandBell> bell;  ///< of all tables; nullptr: there are none
};

/// What sources read that is not in the plan message.
struct Inputs {
  std::span<const uint8_t> splits;  ///< the splits message, which has the files of scans
  io::ExternalTables external;      ///< rows in the memory of the program around the engine
  /// Code of the program around the engine, by the expressions of the plan message that it computes; nullptr: none.
  std::shared_ptr<const execution::Parameters> functions = nullptr;
  Islands islands = {};
};

/// Makes the host operator that a node is to the rows passing through it.
/// @param results hold the built side of a Join
/// @param set_aside takes rows of a Join whose keys are on disk; nullptr: there are none
std::unique_ptr<operators::Transform> make_transform(const plan::NodePtr& node, const operators::StageResults& results,
                                                     const execution::OperatorContext& ctx,
                                                     std::shared_ptr<operators::SetAsideRows> set_aside = nullptr);

/// Makes the host operator that a stage ends in.
/// @param stage that ends in one
/// @param target where it spills to, if it can
/// @param device what a device does of an Aggregate; nullptr: nothing
/// @throws Error Unsupported for a function or key type without one
std::shared_ptr<operators::Breaker> make_breaker(const Stage& stage, const execution::OperatorContext& ctx,
                                                 std::shared_ptr<spill::SpillTarget> target,
                                                 std::shared_ptr<operators::DeviceAggregation> device = nullptr);

/// Makes the transform that turns what a stage's source gives into its node's output; nullptr if they are the same.
/// @param source a Source, or a pipeline breaker
std::unique_ptr<operators::Transform> make_output_transform(const plan::NodePtr& source,
                                                            const execution::OperatorContext& ctx);

}  // namespace accelerant::planner
