#include "expressions/natural_order.h"

#include "expressions/instruction.h"
#include "memory/plan_budget.h"

#include <algorithm>
#include <string>

namespace accelerant::expressions {

using types::DataType;
using types::TypeId;

namespace {

/// Builds the comparison as Spark spells it.
class Comparison {
 public:
  explicit Comparison(const Instruction& input)
      : left_(builder_.input(0, input.type, input.nullable)), right_(builder_.input(1, input.type, input.nullable)) {}

  /// @param sees_nulls whether Spark has it look at nulls, as it does where there may be some
  std::shared_ptr<const Program> finish(bool sees_nulls) && {
    const Slot values = choose(predicate("LessThan", {left_, right_}), number(-1),
                               choose(predicate("GreaterThan", {left_, right_}), number(1), number(0)));
    const Slot outputs[] = {sees_nulls ? among_nulls(values) : values};
    return std::move(builder_).finish(outputs);
  }

 private:
  Slot among_nulls(Slot values) {
    const Slot left = predicate("IsNull", {left_});
    const Slot right = predicate("IsNull", {right_});
    const Slot one_at_most = choose(left, number(1), choose(right, number(-1), values));
    return choose(builder_.conjunction({left, right}), number(0), one_at_most);
  }
  Slot predicate(const char* name, std::vector<Slot> arguments) {
    return builder_.call("org.apache.spark.sql.catalyst.expressions." + std::string(name), std::move(arguments),
                         DataType(TypeId::Boolean), EvalMode::Ansi, -1);
  }
  Slot choose(Slot condition, Slot yes, Slot no) {
    return builder_.case_when({{condition, yes}}, no, DataType(TypeId::Int));
  }
  Slot number(int32_t value) {
    columns::FlatBuilder column(DataType(TypeId::Int), types::PhysicalType::Int32, 1, memory::plan_budget());
    column.values<int32_t>()[0] = value;
    return builder_.literal(column.finish());
  }

  ProgramBuilder builder_;
  const Slot left_;
  const Slot right_;
};

/// Says whether constants are one number.
bool are_same(const columns::ColumnPtr& a, const columns::ColumnPtr& b) {
  if (!a || !b) return a == b;
  return a->type() == b->type() && a->physical() == types::PhysicalType::Int32 && !a->is_null(0) && !b->is_null(0) &&
         a->values<int32_t>()[0] == b->values<int32_t>()[0];
}

bool are_same(const Instruction& a, const Instruction& b) {
  return a.operation == b.operation && a.type == b.type && a.arguments == b.arguments && a.column == b.column &&
         a.function == b.function && a.overload == b.overload && are_same(a.constant, b.constant);
}

bool are_same(const ProgramParts& a, const ProgramParts& b) {
  return a.outputs == b.outputs &&
         std::ranges::equal(a.instructions, b.instructions,
                            [](const Instruction& x, const Instruction& y) { return are_same(x, y); });
}

}  // namespace

bool is_natural_order(const Program& program) {
  const std::vector<Instruction>& instructions = program.parts().instructions;
  const auto input = std::ranges::find(instructions, Operation::Input, &Instruction::operation);
  if (program.inputs() != std::vector{0, 1}) return false;
  return std::ranges::any_of(std::initializer_list<bool>{true, false}, [&](bool sees_nulls) {
    return are_same(program.parts(), Comparison(*input).finish(sees_nulls)->parts());
  });
}

}  // namespace accelerant::expressions
