#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the program that reads all that a projection or an aggregation reads of its input; nullptr: the node is
/// neither.
plan::ProgramPtr program_above(const plan::Node& node);

/// Returns such a node with another program, above another input.
plan::NodePtr with_program(const plan::Node& node, plan::ProgramPtr program, plan::NodePtr input);

}  // namespace accelerant::planner
