#include "expressions/program.h"

#include "base/error.h"
#include "expressions/constant_set.h"
#include "expressions/external_function.h"
#include "expressions/instruction.h"

#include <algorithm>
#include <cstring>

namespace accelerant::expressions {

Program::Program(std::unique_ptr<const ProgramParts> parts) : parts_(std::move(parts)) {
  for (const Instruction& instruction : parts_->instructions) {
    if (instruction.operation == Operation::Input) inputs_.push_back(instruction.column);
  }
  std::sort(inputs_.begin(), inputs_.end());
  for (const Slot output : parts_->outputs) can_fail_ |= parts_->instructions[static_cast<size_t>(output)].can_fail;
}

Program::~Program() = default;

int Program::num_outputs() const { return static_cast<int>(parts_->outputs.size()); }

namespace {

const Instruction& value_of(const ProgramParts& parts, int output) {
  ACC_DCHECK(output >= 0 && static_cast<size_t>(output) < parts.outputs.size());
  return parts.instructions[static_cast<size_t>(parts.outputs[static_cast<size_t>(output)])];
}

}  // namespace

const types::DataType& Program::output_type(int output) const { return value_of(*parts_, output).type; }

std::optional<int> Program::input_of(int output) const {
  const Instruction& value = value_of(*parts_, output);
  return value.operation == Operation::Input ? std::optional(value.column) : std::nullopt;
}

columns::ColumnPtr Program::constant_of(int output) const { return value_of(*parts_, output).constant; }

bool Program::calls_outside() const {
  return std::ranges::any_of(parts_->instructions, [](const Instruction& one) { return one.external.has_value(); });
}

namespace {

std::string operation_name(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::Input:
      return "input " + std::to_string(instruction.column);
    case Operation::Literal:
      return instruction.constant->is_null(0) ? "null" : "literal";
    case Operation::Parameter:
      return "parameter " + std::to_string(instruction.parameter);
    case Operation::ColumnCall:
    case Operation::Call: {
      const char* name = std::strrchr(instruction.function->description->spark_class, '.');
      return name ? name + 1 : instruction.function->description->spark_class;
    }
    case Operation::Retype:
      return "retype";
    case Operation::And:
      return "and";
    case Operation::Or:
      return "or";
    case Operation::CaseWhen:
      return "case";
    case Operation::Coalesce:
      return "coalesce";
    case Operation::InList:
      return "in " + std::to_string(instruction.set->list()->length()) + " constants";
    case Operation::Callback:
      return "callback " + std::to_string(instruction.external->number);
  }
  return "";
}

std::string line_of(const Instruction& instruction) {
  std::string text = operation_name(instruction);
  for (size_t i = 0; i < instruction.arguments.size(); ++i) {
    text += (i == 0 ? "(#" : ", #") + std::to_string(instruction.arguments[i]);
  }
  if (!instruction.arguments.empty()) text += ")";
  text += " " + instruction.type.to_string();
  if (instruction.operation != Operation::Call || !instruction.can_fail) return text;
  static constexpr const char* kModes[] = {" legacy", " ansi", " try"};
  return text + kModes[static_cast<int>(instruction.mode)];
}

}  // namespace

std::string Program::to_string() const {
  std::string text;
  for (size_t slot = 0; slot < parts_->instructions.size(); ++slot) {
    text += "#" + std::to_string(slot) + " = " + line_of(parts_->instructions[slot]) + "\n";
  }
  for (size_t k = 0; k < parts_->outputs.size(); ++k) {
    text += (k == 0 ? "output #" : ", #") + std::to_string(parts_->outputs[k]);
  }
  return text + "\n";
}

}  // namespace accelerant::expressions
