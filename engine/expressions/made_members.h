#pragma once

#include "expressions/instruction.h"

#include <optional>
#include <vector>

namespace accelerant::expressions {

/// Returns the value that a call takes out of a struct which it was put into by another one of some instructions.
/// nullopt: it is no such call, or what else was put there may fail, which Spark computes, too.
std::optional<Slot> member_put_into_struct(const Instruction& call, const std::vector<Instruction>& instructions);

}  // namespace accelerant::expressions
