#pragma once

#include "execution/context.h"
#include "expressions/buffer_pool.h"
#include "expressions/external_function.h"
#include "expressions/instruction.h"
#include "expressions/value.h"

#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace accelerant::expressions {

/// Computes instructions whose arguments are at hand, over dense rows. One per worker: keeps what was computed over
/// dictionaries, and the states of external functions.
class Computer {
 public:
  /// @param parameters have the functions that instructions call; nullptr: they call none
  Computer(BufferPool& pool, std::shared_ptr<const execution::Parameters> parameters)
      : pool_(pool), parameters_(std::move(parameters)) {}

  /// Computes an instruction that is neither Input nor Literal. `slot` names it among the program's; arguments gain
  /// bounds.
  /// @param wanted rows for which strings are built and external functions are called, as a bitmap; nullptr: all
  SlotValue compute(const Instruction& instruction, Slot slot, std::span<SlotValue* const> arguments, int64_t num_rows,
                    const memory::BufferPtr& wanted = nullptr);

 private:
  SlotValue compute_natively(const Instruction& instruction, Slot slot, std::span<SlotValue* const> arguments,
                             int64_t num_rows, const memory::BufferPtr& wanted);
  /// Has the rows that a call leaves to Spark computed outside the engine.
  SlotValue compute_left_rows(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                              const memory::BufferPtr& wanted, SlotValue native);
  /// What an instruction gave over a dictionary, and the arguments it was computed from.
  struct Known {
    std::vector<columns::ColumnPtr> arguments;
    SlotValue value;
  };

  SlotValue compute_first_row(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows);
  SlotValue compute_constant(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows);
  SlotValue compute_failing_constant(const Instruction& instruction, std::span<SlotValue* const> arguments,
                                     int64_t num_rows);
  SlotValue call_columns(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                         const memory::BufferPtr& wanted);
  const SlotValue* find_known(Slot slot, std::span<SlotValue* const> arguments) const;
  const SlotValue& compute_dictionary(const Instruction& instruction, Slot slot, std::span<SlotValue* const> arguments,
                                      int64_t length);
  SlotValue compute_rows(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                         const memory::BufferPtr& wanted = nullptr);
  SlotValue call_external(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                          const memory::BufferPtr& wanted);

  BufferPool& pool_;
  const std::shared_ptr<const execution::Parameters> parameters_;
  std::unordered_map<Slot, Known> known_;
  std::unordered_map<const Program*, std::unique_ptr<column_functions::Lambda>> lambdas_;
  std::unordered_map<int, std::unique_ptr<ExternalFunction::State>> states_;  ///< by the numbers of functions
};

}  // namespace accelerant::expressions
