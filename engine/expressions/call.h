#pragma once

#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

#include <span>

namespace accelerant::expressions {

/// Runs a function over `num_rows` rows of its arguments. Adds to the arguments the bounds it looks up on the way.
/// @param wanted rows for which strings are built, as a bitmap; those of others are empty. nullptr: all
SlotValue run_call(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                   BufferPool& pool, const memory::BufferPtr& wanted);

}  // namespace accelerant::expressions
