#include "codegen/program_text.h"

#include "base/error.h"
#include "expressions/constant_set.h"
#include "expressions/external_function.h"
#include "expressions/registry.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::codegen {

using expressions::EvalMode;
using expressions::Instruction;
using expressions::Operation;
using types::DecimalRange;
using types::PhysicalType;
using types::TypeId;

namespace {

/// Longer lists wait for a look-up that is no loop over all.
constexpr int64_t kMostInConstants = 64;

std::string class_name(const Instruction& instruction) { return std::string(expressions::class_of(instruction)); }

/// Returns the tag of a type in signatures (types/logical.h).
const char* tag_of(TypeId id) {
  switch (id) {
    case TypeId::Boolean:
      return "types::BooleanType";
    case TypeId::Byte:
      return "types::ByteType";
    case TypeId::Short:
      return "types::ShortType";
    case TypeId::Int:
      return "types::IntType";
    case TypeId::Long:
      return "types::LongType";
    case TypeId::Float:
      return "types::FloatType";
    case TypeId::Double:
      return "types::DoubleType";
    case TypeId::Decimal:
      return "types::DecimalType";
    case TypeId::String:
      return "types::StringType";
    case TypeId::Binary:
      return "types::BinaryType";
    case TypeId::Date:
      return "types::DateType";
    case TypeId::Timestamp:
      return "types::TimestampType";
    case TypeId::TimestampNtz:
      return "types::TimestampNtzType";
    case TypeId::DayTimeInterval:
      return "types::DayTimeIntervalType";
    case TypeId::YearMonthInterval:
      return "types::YearMonthIntervalType";
    case TypeId::Null:
    case TypeId::CalendarInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::Other:
      break;
  }
  return "types::AnyType";
}

std::string signature_of(const expressions::Overload& overload) {
  std::string text = std::string("functions::Signature<") + tag_of(overload.result);
  for (const TypeId argument : overload.arguments) text += std::string(", ") + tag_of(argument);
  return text + ">";
}

const char* mode_name(EvalMode mode) {
  switch (mode) {
    case EvalMode::Legacy:
      return "EvalMode::Legacy";
    case EvalMode::Ansi:
      return "EvalMode::Ansi";
    case EvalMode::Try:
      break;
  }
  return "EvalMode::Try";
}

/// Returns the values that a type's can be, of integers and decimals.
DecimalRange range_of(const types::DataType& type) {
  switch (type.id()) {
    case TypeId::Decimal:
      return DecimalRange::of_precision(type.precision());
    case TypeId::Byte:
      return DecimalRange::of(std::numeric_limits<int8_t>::min(), std::numeric_limits<int8_t>::max());
    case TypeId::Short:
      return DecimalRange::of(std::numeric_limits<int16_t>::min(), std::numeric_limits<int16_t>::max());
    case TypeId::Int:
      return DecimalRange::of(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
    case TypeId::Long:
      return DecimalRange::of(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Float:
    case TypeId::Double:
    case TypeId::String:
    case TypeId::Binary:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
    case TypeId::CalendarInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::Other:
      break;
  }
  return DecimalRange::unknown();
}

/// Returns the value of an integer or a decimal as bounds.
DecimalRange range_of(const columns::Column& value) {
  switch (value.physical()) {
    case PhysicalType::Int8:
      return DecimalRange::of(*value.values<int8_t>(), *value.values<int8_t>());
    case PhysicalType::Int16:
      return DecimalRange::of(*value.values<int16_t>(), *value.values<int16_t>());
    case PhysicalType::Int32:
      return DecimalRange::of(*value.values<int32_t>(), *value.values<int32_t>());
    case PhysicalType::Int64:
      return DecimalRange::of(*value.values<int64_t>(), *value.values<int64_t>());
    case PhysicalType::Null:
    case PhysicalType::Bool:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  return DecimalRange::unknown();
}

void check_call(const Instruction& call) {
  const expressions::Overload& overload = *call.overload;
  if (overload.kernel.write != nullptr || overload.max_text_bytes > 0) {
    throw_unsupported(class_name(call) + " builds strings");
  }
  if (overload.uses_zone) throw_unsupported(class_name(call) + " depends on the time zone");
}

std::string context_text(const types::DecimalContext& context) {
  std::string text;
  for (const int32 part : {context.left_precision, context.left_scale, context.right_precision, context.right_scale,
                           context.result_precision, context.result_scale}) {
    text += (text.empty() ? "" : ", ") + std::to_string(part);
  }
  return "types::complete({" + text + "})";
}

}  // namespace

std::string type_name(PhysicalType physical) {
  switch (physical) {
    case PhysicalType::Bool:
      return "bool";
    case PhysicalType::Int8:
      return "int8";
    case PhysicalType::Int16:
      return "int16";
    case PhysicalType::Int32:
      return "int32";
    case PhysicalType::Int64:
      return "int64";
    case PhysicalType::Int128:
      return "int128";
    case PhysicalType::Float32:
      return "float";
    case PhysicalType::Float64:
      return "double";
    case PhysicalType::String:
      return "StringRef";
    case PhysicalType::Null:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  throw_unsupported(std::string("values of type ") + types::to_string(physical));
}

RowColumn RowColumn::of_input(const InputColumn& input, size_t position) {
  return {input.type, input.nullable, std::nullopt, static_cast<int>(position), input.layout};
}

void ProgramText::start(const expressions::Program& program, std::vector<RowColumn>& columns) {
  parts_ = &program.parts();
  columns_ = &columns;
  slots_.clear();
}

SlotText ProgramText::output(int index) {
  const auto i = static_cast<size_t>(index);
  while (slots_.size() < static_cast<size_t>(parts_->output_ends[i])) {
    slots_.push_back(write(parts_->instructions[slots_.size()]));
  }
  return slots_[static_cast<size_t>(parts_->outputs[i])];
}

SlotText ProgramText::declare(const std::string& expression, SlotText value) {
  value.name = "v" + std::to_string(num_locals_++);
  text_.body += "const RowValue<" + type_name(value.physical) + "> " + value.name + " = " + expression + ";\n";
  return value;
}

int ProgramText::add_constant(RowConstant constant) {
  text_.constants.push_back(std::move(constant));
  return static_cast<int>(text_.constants.size()) - 1;
}

std::string ProgramText::in_type(const SlotText& value, PhysicalType physical) {
  if (value.physical == physical) return value.name;
  return "cast_value<" + type_name(physical) + ">(" + value.name + ")";
}

SlotText ProgramText::value_of(RowColumn& column) {
  if (column.value) return *column.value;
  const std::string view = "(arguments.inputs[" + std::to_string(*column.input) + "], row)";
  const std::string may_be_null = column.nullable ? "true>" : "false>";
  SlotText value;
  value.physical = column.type.physical();
  value.nullable = column.nullable;
  value.range = range_of(column.type);
  if (value.physical == PhysicalType::String) {
    const bool is_coded = column.layout == device::ColumnLayout::Codes;
    column.value = declare((is_coded ? "coded_string_at<" : "string_at<") + may_be_null + view, value);
  } else {
    column.value = declare("fixed_at<" + type_name(value.physical) + ", " + may_be_null + view, value);
  }
  return *column.value;
}

SlotText ProgramText::codes_of(const RowColumn& column) {
  SlotText codes;
  codes.physical = PhysicalType::Int32;
  codes.nullable = column.nullable;
  return declare(std::string("fixed_at<int32, ") + (column.nullable ? "true" : "false") + ">(arguments.inputs[" +
                     std::to_string(*column.input) + "], row)",
                 codes);
}

const SlotText& ProgramText::argument(const Instruction& instruction, size_t i) const {
  return slots_[static_cast<size_t>(instruction.arguments[i])];
}

SlotText ProgramText::write(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::Input:
      return value_of((*columns_)[static_cast<size_t>(instruction.column)]);
    case Operation::Literal:
      return constant(*instruction.constant);
    case Operation::Parameter:
      return parameter(instruction);
    case Operation::Call:
      return call(instruction);
    case Operation::Retype: {
      SlotText value = argument(instruction, 0);
      if (value.range.known) value.range = instruction.type.is_decimal() ? range_of(instruction.type) : value.range;
      return value;
    }
    case Operation::And:
    case Operation::Or:
      return logic(instruction);
    case Operation::CaseWhen:
      return case_when(instruction);
    case Operation::Coalesce:
      return coalesce(instruction);
    case Operation::InList:
      return in_list(instruction);
    case Operation::ColumnCall:
      throw_unsupported(class_name(instruction) + " over nested values");
    case Operation::Callback:
      break;
  }
  throw_unsupported("a call of Spark's own code is Spark's own");
}

SlotText ProgramText::constant(const columns::Column& value) {
  SlotText slot;
  // The type of NULL has no values: any will do.
  slot.physical = value.physical() == PhysicalType::Null ? PhysicalType::Bool : value.physical();
  slot.nullable = value.is_null(0);
  if (slot.nullable) return declare("null_of<" + type_name(slot.physical) + ">()", slot);
  slot.range = range_of(value);
  const std::string type = type_name(slot.physical);
  const int number = add_constant({value.slice(0, 1), slot.physical, false});
  return declare("constant_at<" + type + ">(arguments.constants[" + std::to_string(number) + "])", slot);
}

SlotText ProgramText::parameter(const Instruction& instruction) {
  if (parameters_) return constant(*parameters_->values.at(instruction.parameter));
  SlotText slot;
  slot.physical = instruction.type.physical();
  return declare("null_of<" + type_name(slot.physical) + ">()", slot);
}

SlotText ProgramText::call(const Instruction& instruction) {
  check_call(instruction);
  const expressions::Overload& overload = *instruction.overload;
  SlotText result;
  result.nullable = instruction.nullable;
  result.can_fail = instruction.can_fail;
  bool is_wide = false;
  std::vector<DecimalRange> ranges;
  std::string arguments;
  for (size_t i = 0; i < instruction.arguments.size(); ++i) {
    is_wide |= argument(instruction, i).physical == PhysicalType::Int128;
    ranges.push_back(argument(instruction, i).range);
    arguments += ", " + argument(instruction, i).name;
  }
  if (overload.range) {
    result.range = overload.range(ranges.data(), instruction.decimal);
    is_wide |= !result.range.fits_int64() || !result.range.within(instruction.decimal.limit);
  }
  result.physical = instruction.type.physical();
  std::string context = "{}";
  if (overload.has_decimal) {
    context = "kContext" + std::to_string(num_locals_);
    text_.members += "static constexpr DecimalContext " + context + " = " + context_text(instruction.decimal) + ";\n";
    // What the types alone prove to fit is narrow whatever the type.
    if (instruction.type.is_decimal() && !is_wide) result.physical = PhysicalType::Int64;
  }
  if (!result.range.within(instruction.decimal.limit)) result.range = range_of(instruction.type);
  const expressions::FunctionSource source = expressions::source_of(*instruction.function);
  text_.headers.insert(source.header);
  std::string text = std::string("Call<functions::") + source.struct_name + ", " + signature_of(overload) + ", " +
                     mode_name(instruction.mode) + ", " + (is_wide ? "true" : "false") + ">::of(" + context +
                     arguments + ")";
  if (is_wide && instruction.type.is_decimal() && result.physical == PhysicalType::Int64) {
    text = "cast_value<int64>(" + text + ")";
  }
  return declare(text, result);
}

SlotText ProgramText::logic(const Instruction& instruction) {
  SlotText result;
  result.physical = PhysicalType::Bool;
  result.nullable = instruction.nullable;
  result.can_fail = instruction.can_fail;
  const std::string name = instruction.operation == Operation::And ? "conjunction(" : "disjunction(";
  return declare(name + in_type(argument(instruction, 0), PhysicalType::Bool) + ", " +
                     in_type(argument(instruction, 1), PhysicalType::Bool) + ")",
                 result);
}

namespace {

/// Returns what a value is that may be any of several; decimals as the widest.
SlotText either_of(const Instruction& instruction, const std::vector<SlotText>& candidates) {
  SlotText result;
  result.physical = instruction.type.physical();
  if (instruction.type.is_decimal()) {
    const auto is_wide = [](const SlotText& value) { return value.physical == PhysicalType::Int128; };
    result.physical = std::ranges::any_of(candidates, is_wide) ? PhysicalType::Int128 : PhysicalType::Int64;
  } else if (result.physical == PhysicalType::Null) {
    result.physical = PhysicalType::Bool;
  }
  result.nullable = instruction.nullable;
  result.can_fail = instruction.can_fail;
  result.range = range_of(instruction.type);
  return result;
}

}  // namespace

SlotText ProgramText::case_when(const Instruction& instruction) {
  const size_t num_branches = instruction.arguments.size() / 2;
  const bool has_otherwise = instruction.arguments.size() % 2 == 1;
  std::vector<SlotText> candidates;
  for (size_t k = 0; k < num_branches; ++k) candidates.push_back(argument(instruction, 2 * k + 1));
  if (has_otherwise) candidates.push_back(argument(instruction, 2 * num_branches));
  const SlotText result = either_of(instruction, candidates);
  std::string text =
      has_otherwise ? in_type(candidates.back(), result.physical) : "null_of<" + type_name(result.physical) + ">()";
  for (size_t k = num_branches; k-- > 0;) {
    text = "choose(" + in_type(argument(instruction, 2 * k), PhysicalType::Bool) + ", " +
           in_type(candidates[k], result.physical) + ", " + text + ")";
  }
  return declare(text, result);
}

SlotText ProgramText::coalesce(const Instruction& instruction) {
  std::vector<SlotText> candidates;
  for (size_t i = 0; i < instruction.arguments.size(); ++i) candidates.push_back(argument(instruction, i));
  const SlotText result = either_of(instruction, candidates);
  std::string text = in_type(candidates.back(), result.physical);
  for (size_t k = candidates.size() - 1; k-- > 0;) {
    text = "first_of(" + in_type(candidates[k], result.physical) + ", " + text + ")";
  }
  return declare(text, result);
}

SlotText ProgramText::in_list(const Instruction& instruction) {
  const columns::ColumnPtr& list = instruction.set->list();
  if (list->length() > kMostInConstants) {
    throw_unsupported("IN of " + std::to_string(list->length()) + " constants");
  }
  const SlotText& value = argument(instruction, 0);
  const bool is_wide = value.physical == PhysicalType::Int128 || list->physical() == PhysicalType::Int128;
  const PhysicalType physical = is_wide ? PhysicalType::Int128 : value.physical;
  SlotText result;
  result.physical = PhysicalType::Bool;
  result.nullable = instruction.nullable;
  result.can_fail = instruction.can_fail;
  text_.headers.insert("functions/comparison/order.h");
  const int number = add_constant({list, physical, true});
  return declare(std::string("is_in_constant<") + (instruction.set->has_null() ? "true" : "false") + ">(" +
                     in_type(value, physical) + ", arguments.constants[" + std::to_string(number) + "])",
                 result);
}

}  // namespace accelerant::codegen
