#include "expressions/made_members.h"

#include "types/same_values.h"

#include <cstddef>
#include <cstdint>

namespace accelerant::expressions {

namespace {

bool calls(const Instruction& instruction, std::string_view name) {
  return instruction.operation == Operation::ColumnCall && class_of(instruction) == name;
}

}  // namespace

std::optional<Slot> member_put_into_struct(const Instruction& call, const std::vector<Instruction>& instructions) {
  if (!calls(call, "GetStructField")) return std::nullopt;
  const auto at = [&](Slot slot) -> const Instruction& { return instructions[static_cast<size_t>(slot)]; };
  const Instruction* made = &at(call.arguments[0]);
  while (made->operation == Operation::Retype) made = &at(made->arguments[0]);
  const Instruction& number = at(call.arguments[1]);
  if (!calls(*made, "CreateNamedStruct") || number.operation != Operation::Literal) return std::nullopt;
  const auto member = static_cast<size_t>(number.constant->values<int32_t>()[0]);
  for (size_t i = 0; i < made->arguments.size(); ++i) {
    if (i != member && at(made->arguments[i]).can_fail) return std::nullopt;
  }
  const Slot value = made->arguments[member];
  return types::same_values(at(value).type, call.type) ? std::optional(value) : std::nullopt;
}

}  // namespace accelerant::expressions
