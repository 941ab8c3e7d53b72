#pragma once

#include "aggregates/function.h"
#include "expressions/program.h"

#include <span>
#include <vector>

namespace accelerant::plan {

/// Makes arguments of an aggregate null, and never evaluated, where its filter is not true; where none of them tells
/// which rows those are, there is one more.
/// @throws Error Unsupported where the filter is no boolean
void add_filter(expressions::ProgramBuilder& builder, const aggregates::Call& call, expressions::Slot filter,
                std::vector<expressions::Slot>& arguments);

/// Has a row's arguments of a call computed in Spark's order, up to the first null: none of them fails behind one.
void evaluate_to_null(expressions::ProgramBuilder& builder, const aggregates::Call& call,
                      std::span<expressions::Slot> arguments);

}  // namespace accelerant::plan
