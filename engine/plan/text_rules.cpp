#include "plan/text_rules.h"

#include "base/error.h"
#include "plan/constants.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kCast = "org.apache.spark.sql.catalyst.expressions.Cast";

/// Calls what makes a string, and fails for no value.
Slot text_by(const ExpressionCall& call, std::string_view function, std::vector<Slot> arguments,
             std::shared_ptr<const types::ZoneRules> zone = nullptr) {
  return call.builder().call(function, std::move(arguments), DataType(TypeId::String), EvalMode::Ansi,
                             call.fields.index(), std::move(zone));
}

/// Returns the text of a value, null of null.
Slot text_of(const ExpressionCall& call, Slot value, std::shared_ptr<const types::ZoneRules> zone) {
  switch (call.builder().type(value).id()) {
    case TypeId::String:
      return value;
    case TypeId::Binary:
      return text_by(call, "io.accelerant.BinaryText", {value});
    case TypeId::Float:
    case TypeId::Double:
      return text_by(call, kCast, {value, call.java_version()});
    case TypeId::DayTimeInterval:
    case TypeId::YearMonthInterval:
      return interval_text(call, value);
    case TypeId::Null:
    case TypeId::Boolean:
    case TypeId::Byte:
    case TypeId::Short:
    case TypeId::Int:
    case TypeId::Long:
    case TypeId::Decimal:
    case TypeId::Date:
    case TypeId::Timestamp:
    case TypeId::TimestampNtz:
    case TypeId::CalendarInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::Other:
      break;
  }
  return text_by(call, kCast, {value}, std::move(zone));
}

}  // namespace

Slot interval_text(const ExpressionCall& call, Slot interval) {
  const DataType type = call.builder().type(interval);
  return text_by(call, "io.accelerant.IntervalText",
                 {interval, call.number(type.start_field()), call.number(type.end_field())});
}

Slot bind_pretty_string(ExpressionCall& call) {
  const Slot value = call.slot(call.fields.take_node("child"));
  const auto zone = call.zone();
  call.fields.finish();
  const Slot null_text = call.constant_text("NULL");
  const DataType type = call.builder().type(value);
  if (type.is(TypeId::Null)) return null_text;
  if (!is_implemented(type)) call.refuse("over " + type.to_string());
  return call.builder().coalesce({text_of(call, value, zone), null_text}, call.type());
}

}  // namespace accelerant::plan
