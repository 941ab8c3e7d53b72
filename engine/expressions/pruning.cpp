#include "expressions/pruning.h"

#include "expressions/compute.h"
#include "expressions/constant_set.h"
#include "expressions/instruction.h"
#include "expressions/registry.h"

#include <vector>

// Abstract interpretation: for each boolean of the program, which of true, false and null its rows may be; for each
// other value, the bounds and nulls that statistics tell. Comparisons of bounds run the functions themselves on
// constants.

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;

namespace {

/// Lists of IN that are longer are not looked through.
constexpr int64_t kMostLookedAt = 100;

/// What is known of a value's rows.
struct Fact {
  bool may_be_true = true;
  bool may_be_false = true;
  bool may_be_null = true;
  bool may_be_valid = true;
  ColumnPtr min;
  ColumnPtr max;
  ColumnPtr constant = nullptr;      ///< of a constant that is not null
  const ValueSet* values = nullptr;  ///< of a column
};

class Interpreter {
 public:
  Interpreter(const ProgramParts& parts, std::span<const ColumnStatistics> statistics, int64_t num_rows)
      : parts_(parts), statistics_(statistics), num_rows_(num_rows) {
    for (const Instruction& instruction : parts.instructions) facts_.push_back(interpret(instruction));
  }

  const Fact& fact(Slot slot) const { return facts_[static_cast<size_t>(slot)]; }

 private:
  Fact interpret(const Instruction& instruction) const {
    switch (instruction.operation) {
      case Operation::Input:
        return of_statistics(instruction);
      case Operation::Literal:
        return of_constant(instruction.constant);
      case Operation::And:
        return combine(instruction, false);
      case Operation::Or:
        return combine(instruction, true);
      case Operation::InList:
        return membership(instruction);
      case Operation::Call:
        return call(instruction);
      case Operation::Retype:
        return retype(instruction);
      case Operation::Parameter:
      case Operation::CaseWhen:
      case Operation::Coalesce:
      case Operation::Callback:
      case Operation::ColumnCall:
        break;
    }
    return {};
  }

  Fact of_statistics(const Instruction& input) const {
    Fact fact;
    if (static_cast<size_t>(input.column) >= statistics_.size()) return fact;
    const ColumnStatistics& known = statistics_[static_cast<size_t>(input.column)];
    if (known.null_count) {
      fact.may_be_null = *known.null_count > 0;
      fact.may_be_valid = *known.null_count < num_rows_;
    }
    if (known.min && known.min->type() == input.type) fact.min = known.min;
    if (known.max && known.max->type() == input.type && !input.type.is_floating()) fact.max = known.max;
    if (input.type.is(types::TypeId::Boolean)) bound_boolean(fact);
    fact.values = known.values.get();
    return fact;
  }

  static void bound_boolean(Fact& fact) {
    if (fact.min) fact.may_be_false = fact.min->values<uint8_t>()[0] == 0;
    if (fact.max) fact.may_be_true = fact.max->values<uint8_t>()[0] != 0;
  }

  static Fact of_constant(const ColumnPtr& constant) {
    const bool is_null = constant->is_null(0);
    Fact fact{!is_null, !is_null, is_null, !is_null, nullptr, nullptr};
    if (is_null) return fact;
    fact.min = constant;
    fact.max = constant;
    fact.constant = constant;
    if (constant->type().is(types::TypeId::Boolean)) bound_boolean(fact);
    return fact;
  }

  Fact combine(const Instruction& instruction, bool is_or) const {
    const Fact& a = fact(instruction.arguments[0]);
    const Fact& b = fact(instruction.arguments[1]);
    Fact result;
    result.may_be_true = is_or ? a.may_be_true || b.may_be_true : a.may_be_true && b.may_be_true;
    result.may_be_false = is_or ? a.may_be_false && b.may_be_false : a.may_be_false || b.may_be_false;
    result.may_be_null = a.may_be_null || b.may_be_null;
    return result;
  }

  Fact retype(const Instruction& instruction) const {
    Fact result = fact(instruction.arguments[0]);
    if (result.min) result.min = result.min->with_type(instruction.type);
    if (result.max) result.max = result.max->with_type(instruction.type);
    result.constant = nullptr;
    result.values = nullptr;
    return result;
  }

  Fact membership(const Instruction& instruction) const {
    const Fact& value = fact(instruction.arguments[0]);
    const Column& list = *instruction.set->list();
    Fact result;
    result.may_be_null = value.may_be_null || instruction.set->has_null();
    const bool is_looked_through = list.length() <= kMostLookedAt;
    result.may_be_true = !is_looked_through && value.may_be_valid;
    for (int64_t row = 0; row < list.length() && !result.may_be_true; ++row) {
      if (!list.is_null(row)) result.may_be_true = value.may_be_valid && may_contain(value, list.slice(row, 1));
    }
    const bool one_value = value.min && value.max && holds("EqualTo", value.min, value.max);
    result.may_be_false = value.may_be_valid && !(is_looked_through && one_value && result.may_be_true);
    return result;
  }

  bool may_contain(const Fact& value, const ColumnPtr& constant) const {
    return !(value.min && holds("LessThan", constant, value.min)) &&
           !(value.max && holds("LessThan", value.max, constant)) &&
           !(value.values && !value.values->may_contain(*constant));
  }

  static bool lacks(const Fact& column, const Fact& constant) {
    return column.values && constant.constant && !column.values->may_contain(*constant.constant);
  }

  Fact call(const Instruction& instruction) const {
    const std::string_view name = class_of(instruction);
    Fact result;
    result.may_be_null = instruction.nullable;
    if (name == "IsNull" || name == "IsNotNull") {
      const Fact& value = fact(instruction.arguments[0]);
      result.may_be_null = false;
      result.may_be_true = name == "IsNull" ? value.may_be_null : value.may_be_valid;
      result.may_be_false = name == "IsNull" ? value.may_be_valid : value.may_be_null;
    } else if (name == "Not") {
      const Fact& value = fact(instruction.arguments[0]);
      result = Fact{value.may_be_false, value.may_be_true, value.may_be_null, value.may_be_valid, nullptr, nullptr};
    } else if (instruction.arguments.size() == 2) {
      compare(name, fact(instruction.arguments[0]), fact(instruction.arguments[1]), result);
    }
    return result;
  }

  /// Comparisons of two values by their bounds.
  void compare(std::string_view name, const Fact& a, const Fact& b, Fact& result) const {
    const bool is_comparison = name == "EqualTo" || name == "LessThan" || name == "LessThanOrEqual" ||
                               name == "GreaterThan" || name == "GreaterThanOrEqual";
    if (!is_comparison) return;
    result.may_be_null = a.may_be_null || b.may_be_null;
    if (!a.may_be_valid || !b.may_be_valid) {
      result.may_be_true = result.may_be_false = false;
      return;
    }
    if (name == "GreaterThan" || name == "GreaterThanOrEqual") return less(name == "GreaterThan", b, a, result);
    if (name != "EqualTo") return less(name == "LessThan", a, b, result);
    result.may_be_true = !(a.max && b.min && holds("LessThan", a.max, b.min)) &&
                         !(b.max && a.min && holds("LessThan", b.max, a.min)) && !lacks(a, b) && !lacks(b, a);
    const bool one_value =
        a.min && a.max && b.min && b.max && holds("EqualTo", a.min, a.max) && holds("EqualTo", b.min, b.max);
    result.may_be_false = !(one_value && result.may_be_true);
  }

  /// a < b or a <= b: true at the best when a is least and b greatest, and false at the worst.
  void less(bool strictly, const Fact& a, const Fact& b, Fact& result) const {
    const std::string_view name = strictly ? "LessThan" : "LessThanOrEqual";
    if (a.min && b.max) result.may_be_true = holds(name, a.min, b.max);
    if (a.max && b.min) result.may_be_false = !holds(name, a.max, b.min);
  }

  /// Compares two constants.
  static bool holds(std::string_view name, const ColumnPtr& a, const ColumnPtr& b) {
    ProgramBuilder builder;
    const Slot result = builder.call("org.apache.spark.sql.catalyst.expressions." + std::string(name),
                                     {builder.literal(a), builder.literal(b)}, types::DataType(types::TypeId::Boolean),
                                     EvalMode::Legacy, -1);
    const ColumnPtr value = builder.constant_of(result);
    return value && !value->is_null(0) && value->values<uint8_t>()[0] != 0;
  }

  const ProgramParts& parts_;
  std::span<const ColumnStatistics> statistics_;
  const int64_t num_rows_;
  std::vector<Fact> facts_;
};

}  // namespace

Verdict prune(const Program& conjunct, std::span<const ColumnStatistics> statistics, int64_t num_rows) {
  const ProgramParts& parts = conjunct.parts();
  const Fact fact = Interpreter(parts, statistics, num_rows).fact(parts.outputs[0]);
  if (!fact.may_be_true) return Verdict::NoRow;
  return fact.may_be_false || fact.may_be_null || conjunct.can_fail() ? Verdict::Unknown : Verdict::EveryRow;
}

}  // namespace accelerant::expressions
