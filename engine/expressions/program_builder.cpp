#include "base/error.h"
#include "column_functions/stored_rows.h"
#include "expressions/binding.h"
#include "expressions/compute.h"
#include "expressions/constant_set.h"
#include "expressions/guards.h"
#include "expressions/instruction.h"
#include "expressions/made_members.h"
#include "expressions/program.h"
#include "memory/buffer.h"
#include "memory/plan_budget.h"
#include "types/same_values.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;
using types::DataType;
using types::TypeId;

struct ProgramBuilder::Impl {
  explicit Impl(SettingCheck setting_check) : check(std::move(setting_check)) {}

  SettingCheck check;
  std::vector<Instruction> instructions;
  std::unordered_map<std::string, Slot> numbers;  ///< slots by what computes them
  BufferPool pool{memory::plan_budget()};

  Instruction& at(Slot slot) { return instructions[static_cast<size_t>(slot)]; }
  bool is_literal(Slot slot) { return at(slot).operation == Operation::Literal; }
  std::optional<bool> literal_boolean(Slot slot);
  bool looks_at_nullness_of_what_has_none(const Instruction& instruction);
  std::string key_of(const Instruction& instruction);
  std::optional<Slot> find_callback(const Instruction& wanted);
  Slot add(Instruction instruction);
  void check_setting(const Instruction& call) const;
  Slot retyped(Slot slot, const DataType& type);
  std::optional<Slot> fold(const Instruction& instruction);
  Slot combine(Operation operation, Slot left, Slot right);
  Slot boolean(bool value);
  Slot combine_all(Operation operation, std::span<const Slot> operands);
  std::optional<std::vector<Slot>> include(const std::vector<Instruction>& others, const std::vector<Slot>& slots,
                                           std::span<const std::optional<int>> columns);
};

ProgramBuilder::ProgramBuilder(SettingCheck check) : impl_(std::make_unique<Impl>(std::move(check))) {}
ProgramBuilder::~ProgramBuilder() = default;
ProgramBuilder::ProgramBuilder(ProgramBuilder&&) noexcept = default;

ProgramBuilder ProgramBuilder::for_lambda() const { return ProgramBuilder(impl_->check); }

namespace {

void append_value(const Column& column, int64_t row, std::string& key);

void append_nested(const Column& flat, int64_t row, std::string& key) {
  if (flat.physical() == types::PhysicalType::Struct) {
    key += '{';  // a struct of one null is not null
    for (const ColumnPtr& member : flat.children()) append_value(*member, flat.offset() + row, key);
    return;
  }
  const int32_t* offsets = flat.values<int32_t>();
  key += 'l' + std::to_string(offsets[row + 1] - offsets[row]) + ":";
  for (int32_t element = offsets[row]; element < offsets[row + 1]; ++element) {
    for (const ColumnPtr& child : flat.children()) append_value(*child, element, key);
  }
}

/// Appends bytes that tell a row's value from others of its type.
void append_value(const Column& column, int64_t row, std::string& key) {
  const column_functions::StoredRows rows(column);
  const Column& flat = rows.values();
  if (rows.is_null(row)) {
    key += 'n';
  } else if (column.type().is_nested()) {
    append_nested(flat, rows.place(row), key);
  } else if (column.physical() == types::PhysicalType::String) {
    const types::StringRef text = flat.string_at(rows.place(row));
    key += 's' + std::to_string(text.length) + ":";
    key.append(text.data, static_cast<size_t>(text.length));
  } else {
    const auto width = static_cast<size_t>(types::width_of(column.physical()));
    key += 'v';
    key.append(reinterpret_cast<const char*>(flat.values<uint8_t>() - flat.offset()) +
                   static_cast<size_t>(flat.offset() + rows.place(row)) * width,
               width);
  }
}

/// Returns bytes that are equal for equal constants.
std::string constant_key(const Column& column) {
  std::string key = column.type().to_string() + "/" + types::to_string(column.physical());
  for (int64_t row = 0; row < column.length(); ++row) append_value(column, row, key);
  return key;
}

/// Returns a decimal constant as int64 where it fits, so that it does not make its users wide.
ColumnPtr narrow_if_it_fits(const ColumnPtr& value) {
  if (value->physical() != types::PhysicalType::Int128 || value->is_null(0)) return value;
  const __int128 wide = value->values<__int128>()[0];
  if (wide != static_cast<int64_t>(wide)) return value;
  columns::FlatBuilder builder(value->type(), types::PhysicalType::Int64, 1, memory::plan_budget());
  builder.values<int64_t>()[0] = static_cast<int64_t>(wide);
  return builder.finish();
}

}  // namespace

std::string ProgramBuilder::Impl::key_of(const Instruction& instruction) {
  std::string key = std::to_string(static_cast<int>(instruction.operation)) + " " + instruction.type.to_string();
  switch (instruction.operation) {
    case Operation::Input:
      key += " " + std::to_string(instruction.column);
      break;
    case Operation::Literal:
      key += " " + constant_key(*instruction.constant);
      break;
    case Operation::Parameter:
      key += " " + std::to_string(instruction.parameter);
      break;
    case Operation::InList:
      key += " " + constant_key(*instruction.set->list());
      break;
    case Operation::Call:
      key += " " + std::to_string(reinterpret_cast<uintptr_t>(instruction.overload));
      if (instruction.zone) key += " " + instruction.zone->id();
      break;
    case Operation::ColumnCall:
      key += " " + std::to_string(reinterpret_cast<uintptr_t>(instruction.function));
      for (const LambdaCode& lambda : instruction.lambdas) {
        key += " " + std::to_string(reinterpret_cast<uintptr_t>(lambda.program.get()));
      }
      break;
    case Operation::Retype:
    case Operation::And:
    case Operation::Or:
    case Operation::CaseWhen:
    case Operation::Coalesce:
    case Operation::Callback:
      break;
  }
  // What has no errors is the same in every mode.
  const bool depends_on_mode =
      instruction.overload ? has_errors(*instruction.overload) : instruction.operation == Operation::ColumnCall;
  if (depends_on_mode) key += " " + std::to_string(static_cast<int>(instruction.mode));
  for (const Slot argument : instruction.arguments) key += " #" + std::to_string(argument);
  return key;
}

std::optional<Slot> ProgramBuilder::Impl::find_callback(const Instruction& wanted) {
  const auto found = std::ranges::find_if(instructions, [&](const Instruction& other) {
    return other.operation == Operation::Callback && other.arguments == wanted.arguments && other.type == wanted.type &&
           other.external == wanted.external;
  });
  return found == instructions.end() ? std::nullopt : std::optional(static_cast<Slot>(found - instructions.begin()));
}

/// Fails where the session has another value of the setting that a function depends on.
void ProgramBuilder::Impl::check_setting(const Instruction& call) const {
  const functions::Setting& setting = call.function->description->setting;
  if (setting.name && check) check(setting);
}

/// Numbers an instruction, or finds the slot of an equal one.
Slot ProgramBuilder::Impl::add(Instruction instruction) {
  for (const Slot argument : instruction.arguments) instruction.can_fail |= at(argument).can_fail;
  if (instruction.operation == Operation::Callback) {
    if (const std::optional<Slot> found = find_callback(instruction)) return *found;
  } else {
    const auto [found, is_new] = numbers.try_emplace(key_of(instruction), static_cast<Slot>(instructions.size()));
    if (!is_new) return found->second;
  }
  instructions.push_back(std::move(instruction));
  return static_cast<Slot>(instructions.size()) - 1;
}

/// Computes an instruction on literals here and now, unless it fails.
std::optional<Slot> ProgramBuilder::Impl::fold(const Instruction& instruction) {
  std::vector<SlotValue> values;
  std::vector<SlotValue*> pointers;
  values.reserve(instruction.arguments.size());
  for (const Slot argument : instruction.arguments) {
    if (!is_literal(argument)) return std::nullopt;
    values.push_back({Column::constant(at(argument).constant, 1), nullptr});
    pointers.push_back(&values.back());
  }
  const SlotValue value = Computer(pool, nullptr).compute(instruction, 0, pointers, 1);
  if (value.errors) return std::nullopt;
  Instruction literal(Operation::Literal, instruction.type, true);
  literal.constant = narrow_if_it_fits(value.column->is_flat() ? value.column : value.column->child_values());
  literal.nullable = literal.constant->is_null(0);
  return add(std::move(literal));
}

Slot ProgramBuilder::input(int column, const DataType& type, bool nullable, int expression) {
  static_cast<void>(type.physical());
  Instruction instruction(Operation::Input, type, nullable);
  instruction.expression = expression;
  instruction.column = column;
  return impl_->add(std::move(instruction));
}

Slot ProgramBuilder::parameter(int number, const DataType& type) {
  static_cast<void>(type.physical());
  Instruction instruction(Operation::Parameter, type, true);
  instruction.parameter = number;
  return impl_->add(std::move(instruction));
}

Slot ProgramBuilder::literal(ColumnPtr value) {
  ACC_CHECK(value->is_flat() && value->length() == 1);
  Instruction instruction(Operation::Literal, value->type(), value->is_null(0));
  instruction.constant = narrow_if_it_fits(value);
  return impl_->add(std::move(instruction));
}

namespace {

/// Says whether a call knows local timestamps alone, whose times are as if in UTC.
bool is_local(const Overload& overload) {
  const auto has = [&](TypeId type) {
    return overload.result == type ||
           std::find(overload.arguments.begin(), overload.arguments.end(), type) != overload.arguments.end();
  };
  return has(TypeId::TimestampNtz) && !has(TypeId::Timestamp);
}

/// Gives a call its time zone, if its function uses one.
void set_zone(Instruction& instruction, std::shared_ptr<const types::ZoneRules> zone) {
  if (!instruction.overload || !instruction.overload->uses_zone) return;
  if (is_local(*instruction.overload)) zone = types::utc();
  if (!zone) {
    throw_unsupported(std::string(instruction.function->description->spark_class) +
                      " without the rules of a time zone");
  }
  instruction.zone = std::move(zone);
}

}  // namespace

Slot ProgramBuilder::call(std::string_view spark_class, std::vector<Slot> arguments, const DataType& result,
                          EvalMode mode, int expression, std::shared_ptr<const types::ZoneRules> zone) {
  std::vector<DataType> types;
  for (const Slot argument : arguments) types.push_back(type(argument));
  if (keeps_values(spark_class, types, result)) {
    if (types[0] == result) return arguments[0];
    Instruction retype(Operation::Retype, result, nullable(arguments[0]));
    retype.arguments = std::move(arguments);
    const std::optional<Slot> folded = impl_->fold(retype);
    return folded ? *folded : impl_->add(std::move(retype));
  }
  Instruction instruction = bind_call(spark_class, types, result, mode);
  impl_->check_setting(instruction);
  instruction.arguments = std::move(arguments);
  instruction.expression = expression;
  set_zone(instruction, std::move(zone));
  if (const auto member = member_put_into_struct(instruction, impl_->instructions)) {
    return impl_->retyped(*member, result);
  }
  bool may_be_null = instruction.nullable;
  if (is_strict(instruction)) {
    for (const Slot argument : instruction.arguments) may_be_null |= nullable(argument);
  }
  instruction.nullable = may_be_null;
  if (impl_->looks_at_nullness_of_what_has_none(instruction)) {
    // Any value that is not null will do.
    for (Slot& argument : instruction.arguments) argument = impl_->boolean(true);
  }
  const std::optional<Slot> folded = impl_->fold(instruction);
  return folded ? *folded : impl_->add(std::move(instruction));
}

Slot ProgramBuilder::call_with_lambdas(std::string_view spark_class, std::vector<Slot> arguments,
                                       std::vector<BoundLambda> lambdas, const DataType& result, EvalMode mode,
                                       int expression) {
  std::vector<DataType> types;
  for (const Slot argument : arguments) types.push_back(type(argument));
  Instruction instruction = bind_call(spark_class, types, result, mode);
  ACC_CHECK(instruction.operation == Operation::ColumnCall);
  impl_->check_setting(instruction);
  instruction.arguments = std::move(arguments);
  instruction.expression = expression;
  for (BoundLambda& lambda : lambdas) {
    instruction.can_fail |= lambda.program->can_fail();
    instruction.lambdas.push_back({std::move(lambda.program), lambda.num_arguments, instruction.arguments.size()});
    instruction.arguments.insert(instruction.arguments.end(), lambda.captured.begin(), lambda.captured.end());
  }
  const std::optional<Slot> folded = impl_->fold(instruction);
  return folded ? *folded : impl_->add(std::move(instruction));
}

bool ProgramBuilder::leaves_rows(Slot slot, std::span<const Slot> arguments) const {
  const Instruction& instruction = impl_->at(slot);
  return instruction.function && instruction.function->description->needs_spark &&
         std::ranges::equal(instruction.arguments, arguments);
}

void ProgramBuilder::leave_rows_to(Slot slot, ExternalCall call) {
  ACC_CHECK(leaves_rows(slot, impl_->at(slot).arguments));
  impl_->at(slot).external = call;
}

bool ProgramBuilder::Impl::looks_at_nullness_of_what_has_none(const Instruction& instruction) {
  if (!instruction.overload || instruction.overload->reads_values) return false;
  for (const Slot argument : instruction.arguments) {
    if (at(argument).nullable || at(argument).can_fail) return false;
  }
  return true;
}

std::optional<bool> ProgramBuilder::Impl::literal_boolean(Slot slot) {
  const Instruction& instruction = at(slot);
  if (instruction.operation != Operation::Literal || instruction.constant->is_null(0)) return std::nullopt;
  return instruction.constant->values<uint8_t>()[0] != 0;
}

Slot ProgramBuilder::Impl::boolean(bool value) {
  columns::FlatBuilder builder(DataType(TypeId::Boolean), types::PhysicalType::Bool, 1, pool.budget());
  builder.values<uint8_t>()[0] = value;
  Instruction literal(Operation::Literal, DataType(TypeId::Boolean), false);
  literal.constant = builder.finish();
  return add(std::move(literal));
}

/// Returns a value under a type that differs at most in which elements may be null and in names of members.
Slot ProgramBuilder::Impl::retyped(Slot slot, const DataType& type) {
  if (at(slot).type == type) return slot;
  ACC_CHECK(types::same_values(at(slot).type, type));
  Instruction retype(Operation::Retype, type, at(slot).nullable);
  retype.arguments = {slot};
  const std::optional<Slot> folded = fold(retype);
  return folded ? *folded : add(std::move(retype));
}

Slot ProgramBuilder::Impl::combine(Operation operation, Slot left, Slot right) {
  const bool deciding = operation == Operation::Or;
  if (left == right) return left;
  if (const auto value = literal_boolean(left)) return *value == deciding ? left : right;
  if (literal_boolean(right) == !deciding) return left;
  Instruction instruction(operation, DataType(TypeId::Boolean), true);
  instruction.nullable = at(left).nullable || at(right).nullable;
  instruction.arguments = {left, right};
  const std::optional<Slot> folded = fold(instruction);
  return folded ? *folded : add(std::move(instruction));
}

Slot ProgramBuilder::Impl::combine_all(Operation operation, std::span<const Slot> operands) {
  for (const Slot operand : operands) ACC_CHECK(at(operand).type.is(TypeId::Boolean));
  if (operands.empty()) return boolean(operation == Operation::And);
  // In halves, so that who walks down a condition of many thousand does not walk deep.
  constexpr size_t kFewOperands = 64;
  if (operands.size() > kFewOperands) {
    const Slot first = combine_all(operation, operands.first(operands.size() / 2));
    return combine(operation, first, combine_all(operation, operands.subspan(operands.size() / 2)));
  }
  Slot result = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) result = combine(operation, result, operands[i]);
  return result;
}

Slot ProgramBuilder::conjunction(std::vector<Slot> operands) { return impl_->combine_all(Operation::And, operands); }
Slot ProgramBuilder::disjunction(std::vector<Slot> operands) { return impl_->combine_all(Operation::Or, operands); }

Slot ProgramBuilder::case_when(std::vector<std::pair<Slot, Slot>> branches, std::optional<Slot> otherwise,
                               const DataType& result) {
  Instruction instruction(Operation::CaseWhen, result, false);
  bool decided = false;
  for (const auto& [condition, value] : branches) {
    ACC_CHECK(type(condition).is(TypeId::Boolean));
    const bool is_literal = impl_->is_literal(condition);
    const bool is_true = impl_->literal_boolean(condition) == true;
    if (decided || (is_literal && !is_true)) continue;
    if (is_true) {
      otherwise = value;
      decided = true;
      continue;
    }
    instruction.arguments.insert(instruction.arguments.end(), {condition, impl_->retyped(value, result)});
    instruction.nullable |= nullable(value);
  }
  if (otherwise) otherwise = impl_->retyped(*otherwise, result);
  if (instruction.arguments.empty()) {
    if (otherwise) return *otherwise;
    return literal(Column::nulls(result, 1, impl_->pool.budget())->child_values());
  }
  if (instruction.arguments.size() / 2 >= UINT16_MAX) throw_unsupported("CASE with 65,535 branches or more");
  if (otherwise) instruction.arguments.push_back(*otherwise);
  instruction.nullable |= !otherwise || nullable(*otherwise);
  const std::optional<Slot> folded = impl_->fold(instruction);
  return folded ? *folded : impl_->add(std::move(instruction));
}

Slot ProgramBuilder::coalesce(std::vector<Slot> operands, const DataType& result) {
  Instruction instruction(Operation::Coalesce, result, true);
  for (const Slot operand : operands) {
    if (impl_->is_literal(operand) && nullable(operand)) continue;
    instruction.arguments.push_back(impl_->retyped(operand, result));
    if (nullable(operand)) continue;
    instruction.nullable = false;
    break;
  }
  if (instruction.arguments.size() >= UINT16_MAX) throw_unsupported("COALESCE of 65,535 values or more");
  if (instruction.arguments.empty()) return literal(Column::nulls(result, 1, impl_->pool.budget())->child_values());
  if (instruction.arguments.size() == 1) return instruction.arguments[0];
  const std::optional<Slot> folded = impl_->fold(instruction);
  return folded ? *folded : impl_->add(std::move(instruction));
}

namespace {

/// Returns a constant array of a flat column's values.
ColumnPtr array_of(const ColumnPtr& values) {
  auto offsets = memory::Buffer::allocate(2 * static_cast<int64_t>(sizeof(int32_t)), memory::plan_budget());
  offsets->mutable_as<int32_t>()[0] = 0;
  offsets->mutable_as<int32_t>()[1] = static_cast<int32_t>(values->length());
  return Column::flat({DataType::array(values->type(), true),
                       types::PhysicalType::Array,
                       1,
                       0,
                       std::move(offsets),
                       nullptr,
                       {},
                       {values}});
}

}  // namespace

Slot ProgramBuilder::in_list(Slot value, ColumnPtr list) {
  ACC_CHECK(list->is_flat());
  const bool same_scale =
      type(value).is_decimal() && list->type().is_decimal() && type(value).scale() == list->type().scale();
  if (!(type(value) == list->type()) && !same_scale) {
    throw_unsupported("IN of " + type(value).to_string() + " among " + list->type().to_string());
  }
  if (list->length() == 0) return impl_->boolean(false);
  if (list->type().is_nested()) {
    return call("io.accelerant.NestedIn", {value, literal(array_of(list))}, DataType(TypeId::Boolean), EvalMode::Ansi,
                -1);
  }
  Instruction instruction(Operation::InList, DataType(TypeId::Boolean), true);
  instruction.set = ConstantSet::make(std::move(list));
  instruction.nullable = nullable(value) || instruction.set->has_null();
  instruction.arguments = {value};
  const std::optional<Slot> folded = impl_->fold(instruction);
  return folded ? *folded : impl_->add(std::move(instruction));
}

Slot ProgramBuilder::callback(ExternalCall call, std::vector<Slot> arguments, const DataType& result, int expression) {
  Instruction instruction(Operation::Callback, result, true);
  instruction.can_fail = true;
  instruction.arguments = std::move(arguments);
  instruction.external = call;
  instruction.expression = expression;
  return impl_->add(std::move(instruction));
}

const DataType& ProgramBuilder::type(Slot slot) const { return impl_->at(slot).type; }
bool ProgramBuilder::nullable(Slot slot) const { return impl_->at(slot).nullable; }
bool ProgramBuilder::can_fail(Slot slot) const { return impl_->at(slot).can_fail; }
ColumnPtr ProgramBuilder::constant_of(Slot slot) const { return impl_->at(slot).constant; }

namespace {

/// Puts what the outputs need into the order it runs in: each value right before its first use, so that few live at a
/// time.
class Scheduler {
 public:
  /// @param instructions from which those that are needed are taken
  explicit Scheduler(std::vector<Instruction>& instructions)
      : instructions_(instructions), places_(instructions.size(), -1) {
    parts_->instructions.reserve(instructions.size());
  }

  std::unique_ptr<const ProgramParts> schedule(std::span<const Slot> outputs) {
    for (const Slot output : outputs) {
      visit(output);
      parts_->outputs.push_back(places_[static_cast<size_t>(output)]);
      parts_->output_ends.push_back(static_cast<int>(parts_->instructions.size()));
    }
    find_last_uses();
    find_guards(*parts_);
    return std::move(parts_);
  }

 private:
  /// Emits a slot after its arguments, without recursion.
  void visit(Slot slot) {
    stack_.emplace_back(slot, 0);
    while (!stack_.empty()) {
      auto& [current, next] = stack_.back();
      const Instruction& instruction = instructions_[static_cast<size_t>(current)];
      if (places_[static_cast<size_t>(current)] >= 0) {
        stack_.pop_back();
      } else if (next < instruction.arguments.size()) {
        const Slot argument = instruction.arguments[next++];
        stack_.emplace_back(argument, 0);
      } else {
        emit(current);
        stack_.pop_back();
      }
    }
  }

  void emit(Slot slot) {
    places_[static_cast<size_t>(slot)] = static_cast<Slot>(parts_->instructions.size());
    Instruction& instruction = parts_->instructions.emplace_back(std::move(instructions_[static_cast<size_t>(slot)]));
    for (Slot& argument : instruction.arguments) argument = places_[static_cast<size_t>(argument)];
  }

  void find_last_uses() {
    parts_->last_reads.assign(parts_->instructions.size(), -1);
    parts_->last_outputs.assign(parts_->instructions.size(), -1);
    for (size_t place = 0; place < parts_->instructions.size(); ++place) {
      for (const Slot argument : parts_->instructions[place].arguments) {
        parts_->last_reads[static_cast<size_t>(argument)] = static_cast<int>(place);
      }
    }
    for (size_t k = 0; k < parts_->outputs.size(); ++k) {
      parts_->last_outputs[static_cast<size_t>(parts_->outputs[k])] = static_cast<int>(k);
    }
  }

  std::vector<Instruction>& instructions_;
  std::vector<Slot> places_;
  std::vector<std::pair<Slot, size_t>> stack_;  ///< with how many of its arguments were visited
  std::unique_ptr<ProgramParts> parts_ = std::make_unique<ProgramParts>();
};

}  // namespace

namespace {

/// Returns the slots that a slot is computed of, itself last, ascending.
std::vector<Slot> needed_for(const std::vector<Instruction>& instructions, Slot output) {
  std::set<Slot> needed;
  std::vector<Slot> pending{output};
  while (!pending.empty()) {
    const Slot slot = pending.back();
    pending.pop_back();
    if (!needed.insert(slot).second) continue;
    const std::vector<Slot>& arguments = instructions[static_cast<size_t>(slot)].arguments;
    pending.insert(pending.end(), arguments.begin(), arguments.end());
  }
  return {needed.begin(), needed.end()};
}

}  // namespace

/// Includes some slots of another program, ascending, with all that they are computed of; returns the slots here.
std::optional<std::vector<Slot>> ProgramBuilder::Impl::include(const std::vector<Instruction>& others,
                                                               const std::vector<Slot>& slots,
                                                               std::span<const std::optional<int>> columns) {
  std::vector<Slot> included;
  for (const Slot slot : slots) {
    Instruction instruction = others[static_cast<size_t>(slot)];
    instruction.guards.clear();
    if (instruction.operation == Operation::Input) {
      const std::optional<int> column = columns[static_cast<size_t>(instruction.column)];
      if (!column) return std::nullopt;
      instruction.column = *column;
    }
    for (Slot& argument : instruction.arguments) {
      argument = included[static_cast<size_t>(std::ranges::lower_bound(slots, argument) - slots.begin())];
    }
    included.push_back(add(std::move(instruction)));
  }
  return included;
}

std::optional<Slot> ProgramBuilder::include(const Program& program, int output,
                                            std::span<const std::optional<int>> columns) {
  const std::vector<Instruction>& instructions = program.parts().instructions;
  const std::vector<Slot> slots = needed_for(instructions, program.parts().outputs[static_cast<size_t>(output)]);
  const auto included = impl_->include(instructions, slots, columns);
  return included ? std::optional(included->back()) : std::nullopt;
}

std::vector<Slot> ProgramBuilder::include_all(const Program& program, std::span<const std::optional<int>> columns) {
  const std::vector<Instruction>& instructions = program.parts().instructions;
  std::vector<Slot> slots(instructions.size());
  std::iota(slots.begin(), slots.end(), 0);
  const auto included = impl_->include(instructions, slots, columns);
  ACC_CHECK(included);
  std::vector<Slot> outputs;
  for (const Slot output : program.parts().outputs) outputs.push_back((*included)[static_cast<size_t>(output)]);
  return outputs;
}

std::shared_ptr<const Program> ProgramBuilder::finish(std::span<const Slot> outputs) && {
  return std::make_shared<const Program>(Scheduler(impl_->instructions).schedule(outputs));
}

}  // namespace accelerant::expressions
