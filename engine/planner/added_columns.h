#pragma once

#include "expressions/program.h"
#include "plan/node.h"

#include <string>

namespace accelerant::planner {

/// Puts a projection on top of a node that emits its columns and, behind them, what a program computes of them.
/// @param name of what is computed
/// @param plan_node that the projection stands for
plan::NodePtr add_columns(const plan::NodePtr& input, const expressions::Program& program, const std::string& name,
                          int plan_node);

/// Puts a choice of a node's first columns on top of it.
/// @param output those columns
plan::NodePtr choose_first_columns(const plan::NodePtr& input, const std::vector<plan::OutputColumn>& output,
                                   int plan_node);

}  // namespace accelerant::planner
