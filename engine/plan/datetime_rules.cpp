#include "plan/datetime_rules.h"

#include "base/error.h"
#include "plan/constants.h"

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

/// Binds what is left of a call whose fields are read.
Slot finish_call(ExpressionCall& call, std::vector<Slot> arguments,
                 std::shared_ptr<const types::ZoneRules> zone = nullptr) {
  call.fields.finish();
  return call.builder().call(call.fields.class_name(), std::move(arguments), call.type(), EvalMode::Ansi,
                             call.fields.index(), std::move(zone));
}

/// TimestampAdd, TimestampDiff: the unit is a field, and the function's first argument.
Slot bind_with_unit(ExpressionCall& call) {
  const Value unit{Bytes{call.fields.take_text("unit")}};
  const Value* value = &unit;
  std::vector<Slot> arguments = call.take_arguments();
  arguments.insert(arguments.begin(), call.builder().literal(make_constants({&value, 1}, DataType(TypeId::String))));
  return finish_call(call, std::move(arguments), call.take_zone());
}

/// Calls a function that truncates the argument that is no string. Where the other one, the format, is a constant that
/// gives null for every time, Spark does not look at the time.
Slot bind_truncation(ExpressionCall& call, std::string_view function) {
  const auto zone = call.take_zone();
  const std::vector<Slot> arguments = call.take_arguments();
  call.fields.finish();
  const auto truncate = [&](std::vector<Slot> times_and_format) {
    return call.builder().call(function, std::move(times_and_format), call.type(), EvalMode::Ansi, call.fields.index(),
                               zone);
  };
  std::vector<Slot> epoch = arguments;
  for (Slot& argument : epoch) {
    const DataType type = call.builder().type(argument);
    if (!type.is(TypeId::String)) argument = call.integer(0, type);
  }
  const Slot result = truncate(std::move(epoch));
  const columns::ColumnPtr constant = call.builder().constant_of(result);
  return constant && constant->is_null(0) ? result : truncate(arguments);
}

/// TruncTimestamp: Spark's way depends on its version; what 4.2 does is not known.
Slot bind_trunc_timestamp(ExpressionCall& call) {
  const std::string_view version = call.binder.message().spark_version;
  const bool is_before_43 = version.starts_with("4.0") || version.starts_with("4.1");
  if (!is_before_43 && !version.starts_with("4.3")) {
    throw_unsupported("expression TruncTimestamp (Spark " + std::string(version) + ")");
  }
  return bind_truncation(call, is_before_43 ? "io.accelerant.TruncTimestampBefore43" : call.fields.class_name());
}

Slot bind_trunc_date(ExpressionCall& call) { return bind_truncation(call, call.fields.class_name()); }

/// SubtractTimestamps, SubtractDates: the difference as an interval of days and seconds.
Slot bind_difference(ExpressionCall& call) {
  call.fields.require_unset("legacyInterval");
  return finish_call(call, call.take_arguments(), call.take_zone());
}

/// FromUTCTimestamp, ToUTCTimestamp: the zone is the second argument, and has to be a literal.
Slot bind_in_named_zone(ExpressionCall& call) {
  const Slot timestamp = call.slot(call.fields.take_node("left"));
  const int zone_node = call.fields.take_node("right");
  if (short_name(call.binder.message().node(zone_node).class_name) != "Literal") {
    call.fields.fail("right", "is no literal");
  }
  NodeFields literal(call.binder.message(), zone_node);
  const auto* id = literal.take("value").get_if<Bytes>();
  return finish_call(call, {timestamp}, id ? call.binder.message().find_zone(id->bytes) : nullptr);
}

/// UnixTimestamp, ToUnixTimestamp: the format says how to read strings, which are not supported.
Slot bind_unix_timestamp(ExpressionCall& call) {
  const Slot time = call.slot(call.fields.take_node("timeExp"));
  for (const char* name : {"format", "failOnError"}) call.fields.ignore(name);
  return finish_call(call, {time}, call.take_zone());
}

}  // namespace

RuleMap datetime_rules() {
  return {
      {"TimestampAdd", bind_with_unit},         {"TimestampDiff", bind_with_unit},
      {"TruncTimestamp", bind_trunc_timestamp}, {"SubtractTimestamps", bind_difference},
      {"SubtractDates", bind_difference},       {"FromUTCTimestamp", bind_in_named_zone},
      {"ToUTCTimestamp", bind_in_named_zone},   {"UnixTimestamp", bind_unix_timestamp},
      {"ToUnixTimestamp", bind_unix_timestamp}, {"TruncDate", bind_trunc_date},
  };
}

}  // namespace accelerant::plan
