#pragma once

#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

#include <span>

namespace accelerant::expressions {

/// Runs a function over columns on `num_rows` rows of its arguments.
Value run_column_call(const Instruction& instruction, std::span<Value* const> arguments, int64_t num_rows,
                      BufferPool& pool);

}  // namespace accelerant::expressions
