#include "expressions/selectivity.h"

#include "expressions/constant_set.h"
#include "expressions/instruction.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

namespace accelerant::expressions {

using types::PhysicalType;

std::optional<double> as_number(const columns::Column& value) {
  if (!value.is_flat() || value.is_null(0)) return std::nullopt;
  switch (value.physical()) {
    case PhysicalType::Int8:
      return value.values<int8_t>()[0];
    case PhysicalType::Int16:
      return value.values<int16_t>()[0];
    case PhysicalType::Int32:
      return value.values<int32_t>()[0];
    case PhysicalType::Int64:
      return static_cast<double>(value.values<int64_t>()[0]);
    case PhysicalType::Int128:
      return static_cast<double>(value.values<int128>()[0]);
    case PhysicalType::Float32:
      return value.values<float>()[0];
    case PhysicalType::Float64:
      return value.values<double>()[0];
    case PhysicalType::Null:
    case PhysicalType::Bool:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  return std::nullopt;
}

namespace {

/// Of conditions that nothing is known of.
constexpr double kUnknownShare = 0.3;
/// Of a search in texts: few texts have any given part.
constexpr double kTextShare = 0.1;
/// Of an interval that is open on one side, of a column without bounds.
constexpr double kHalfOpenShare = 1.0 / 3;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Interval {
  double low = -kInfinity;
  double high = kInfinity;
};

bool is_text_search(std::string_view name) {
  return name == "Like" || name == "Contains" || name == "StartsWith" || name == "EndsWith" || name == "RLike";
}

/// Returns the comparison with its sides changed; empty when it is none.
std::string_view mirrored(std::string_view name) {
  if (name == "LessThan") return "GreaterThan";
  if (name == "LessThanOrEqual") return "GreaterThanOrEqual";
  if (name == "GreaterThan") return "LessThan";
  if (name == "GreaterThanOrEqual") return "LessThanOrEqual";
  return name == "EqualTo" || name == "EqualNullSafe" ? name : std::string_view();
}

/// Conjuncts of one input, taken together.
class Conjunction {
 public:
  explicit Conjunction(const ColumnEstimates& columns) : columns_(columns) {}

  void add(const ProgramParts& parts, Slot condition) {
    const Instruction& instruction = parts.instructions[static_cast<size_t>(condition)];
    if (instruction.operation == Operation::And) {
      for (const Slot operand : instruction.arguments) add(parts, operand);
    } else if (!narrow(parts, instruction)) {
      share_ *= share_of(parts, instruction);
    }
  }

  double share() const {
    double share = share_;
    for (const auto& [column, interval] : intervals_) share *= share_within(columns_(column), interval);
    return std::clamp(share, 0.0, 1.0);
  }

 private:
  static const Instruction& argument(const ProgramParts& parts, const Instruction& call, size_t i) {
    const Instruction* found = &parts.instructions[static_cast<size_t>(call.arguments[i])];
    while (found->operation == Operation::Retype) found = &parts.instructions[static_cast<size_t>(found->arguments[0])];
    return *found;
  }

  /// Takes in a bound that a comparison with a constant puts on a column; false when it is no such thing.
  bool narrow(const ProgramParts& parts, const Instruction& call) {
    if (call.operation != Operation::Call || call.arguments.size() != 2) return false;
    std::string_view name = class_of(call);
    if (mirrored(name).empty() || mirrored(name) == name) return false;
    const Instruction* value = &argument(parts, call, 0);
    const Instruction* bound = &argument(parts, call, 1);
    if (value->operation == Operation::Literal) {
      std::swap(value, bound);
      name = mirrored(name);
    }
    if (value->operation != Operation::Input || bound->operation != Operation::Literal) return false;
    const std::optional<double> number = as_number(*bound->constant);
    if (!number) return false;
    Interval& interval = intervals_[value->column];
    if (name.starts_with("Less")) {
      interval.high = std::min(interval.high, *number);
    } else {
      interval.low = std::max(interval.low, *number);
    }
    return true;
  }

  static double share_within(const ColumnEstimate& column, Interval interval) {
    const double valid = 1 - column.null_share;
    if (!column.min || !column.max) {
      const bool is_closed = interval.low > -kInfinity && interval.high < kInfinity;
      return valid * (is_closed ? kHalfOpenShare * kHalfOpenShare : kHalfOpenShare);
    }
    const double low = std::max(interval.low, *column.min);
    const double high = std::min(interval.high, *column.max);
    if (low > high) return 0;
    const double width = *column.max - *column.min;
    const double least = 1 / std::max(1.0, column.num_distinct);
    return valid * (width > 0 ? std::max((high - low) / width, least) : 1);
  }

  double share_of(const ProgramParts& parts, Slot condition) const {
    Conjunction nested(columns_);
    nested.add(parts, condition);
    return nested.share();
  }

  double share_of(const ProgramParts& parts, const Instruction& condition) const {
    switch (condition.operation) {
      case Operation::Literal:
        return !condition.constant->is_null(0) && condition.constant->values<uint8_t>()[0] != 0;
      case Operation::Or: {
        double none = 1;
        for (const Slot operand : condition.arguments) none *= 1 - share_of(parts, operand);
        return 1 - none;
      }
      case Operation::InList: {
        const auto num_values = static_cast<double>(condition.set->list()->length());
        return std::min(1.0, num_values * share_of_one(argument(parts, condition, 0)));
      }
      case Operation::Call:
        return share_of_call(parts, condition);
      case Operation::Input:
      case Operation::Parameter:
      case Operation::Retype:
      case Operation::And:
      case Operation::CaseWhen:
      case Operation::Coalesce:
      case Operation::Callback:
      case Operation::ColumnCall:
        break;
    }
    return kUnknownShare;
  }

  double share_of_call(const ProgramParts& parts, const Instruction& call) const {
    const std::string_view name = class_of(call);
    if (name == "Not") return 1 - share_of(parts, call.arguments[0]);
    if (name == "IsNull" || name == "IsNotNull") {
      const Instruction& value = argument(parts, call, 0);
      const double nulls = value.operation == Operation::Input ? columns_(value.column).null_share : 0;
      return name == "IsNull" ? nulls : 1 - nulls;
    }
    if (is_text_search(name)) return kTextShare;
    if (name != "EqualTo" && name != "EqualNullSafe") return kUnknownShare;
    return std::min(share_of_one(argument(parts, call, 0)), share_of_one(argument(parts, call, 1)));
  }

  /// Estimates the share of rows that have one certain value; 1 for a constant.
  double share_of_one(const Instruction& value) const {
    if (value.operation == Operation::Literal || value.operation == Operation::Parameter) return 1;
    if (value.operation != Operation::Input) return kTextShare;
    const ColumnEstimate column = columns_(value.column);
    return (1 - column.null_share) / std::max(1.0, column.num_distinct);
  }

  const ColumnEstimates& columns_;
  std::map<int, Interval> intervals_;  ///< by column
  double share_ = 1;
};

}  // namespace

std::optional<int> column_asked_for_value(const Program& condition) {
  const std::vector<Instruction>& instructions = condition.parts().instructions;
  const bool asks = instructions.size() == 2 && instructions[0].operation == Operation::Input &&
                    instructions[1].operation == Operation::Call && class_of(instructions[1]) == "IsNotNull";
  return asks ? std::optional(instructions[0].column) : std::nullopt;
}

double passing_share(std::span<const std::shared_ptr<const Program>> conjuncts, const ColumnEstimates& columns) {
  Conjunction all(columns);
  for (const auto& program : conjuncts) {
    for (const Slot output : program->parts().outputs) all.add(program->parts(), output);
  }
  return all.share();
}

}  // namespace accelerant::expressions
