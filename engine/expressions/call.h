#pragma once

#include <span>

#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

namespace accelerant::expressions {

/// Runs a function over `num_rows` rows of its arguments. Adds to the arguments the bounds it looks up on the way.
Value run_call(const Instruction& instruction, std::span<Value* const> arguments, int64_t num_rows, BufferPool& pool);

/// Returns bounds of a value's rows that are not null, by looking at all of them if need be, and keeps them in it.
/// Integers and decimals; unknown for int128.
types::DecimalRange find_range(Value& value);

}  // namespace accelerant::expressions
