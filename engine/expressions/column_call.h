#pragma once

#include "column_functions/lambda.h"
#include "expressions/buffer_pool.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

#include <span>

namespace accelerant::expressions {

/// Runs a function over columns on `num_rows` rows of its arguments.
/// @param lambdas those of the instruction, to be run by this worker
/// @param wanted a bitmap of the rows that count; nullptr: all
SlotValue run_column_call(const Instruction& instruction, std::span<SlotValue* const> arguments,
                          std::span<column_functions::Lambda* const> lambdas, int64_t num_rows,
                          const memory::BufferPtr& wanted, BufferPool& pool);

}  // namespace accelerant::expressions
