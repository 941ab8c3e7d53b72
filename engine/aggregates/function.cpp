#include "aggregates/function.h"

#include "base/error.h"
#include "types/same_values.h"

#include <algorithm>

namespace accelerant::aggregates {

using types::DataType;
using types::TypeId;

namespace {

constexpr TypeId kAny{0};

types::DecimalContext decimals_of(const Call& call) {
  types::DecimalContext context;
  const auto decimal = [&](size_t i) { return i < call.argument_types.size() && call.argument_types[i].is_decimal(); };
  if (decimal(0)) {
    context.left_precision = call.argument_types[0].precision();
    context.left_scale = call.argument_types[0].scale();
  }
  if (decimal(1)) {
    context.right_precision = call.argument_types[1].precision();
    context.right_scale = call.argument_types[1].scale();
  }
  if (call.result_type.is_decimal()) {
    context.result_precision = call.result_type.precision();
    context.result_scale = call.result_type.scale();
  }
  return types::complete(context);
}

bool takes(TypeId wanted, const DataType& type, bool takes_nested) {
  if (wanted != kAny) return type.is(wanted);
  return takes_nested || !(type.is_nested() || type.is(TypeId::Null));
}

bool is_list_of(const DataType& type, TypeId element) {
  return type.is(TypeId::Array) && type.fields().front().type.is(element);
}

bool gives(const Overload& overload, const Call& call) {
  switch (overload.rule) {
    case ResultRule::Itself:
      return call.result_type.is(overload.result);
    case ResultRule::FirstArgument:
      return types::same_values(call.result_type, call.argument_types.front());
    case ResultRule::ListOfFirstArgument:
      return call.result_type.is(TypeId::Array) &&
             types::same_values(call.result_type.fields().front().type, call.argument_types.front());
    case ResultRule::ListOfItself:
      return is_list_of(call.result_type, overload.result) && is_list_of(call.argument_types.back(), TypeId::Double);
  }
  return false;
}

bool fits(const Overload& overload, const Call& call) {
  if (call.argument_types.size() < overload.arguments.size()) return false;
  for (size_t i = 0; i < overload.arguments.size(); ++i) {
    if (!takes(overload.arguments[i], call.argument_types[i], call.description().takes_nested)) return false;
  }
  return gives(overload, call) && (!overload.supports || overload.supports(decimals_of(call)));
}

}  // namespace

const functions::AggregateDescription& Call::description() const { return *function->description; }

size_t Call::num_constants() const { return overload->collects ? overload->arguments.size() - 1 : 0; }

std::string_view Call::name() const { return function->name(); }

bool Call::is_order_sensitive() const { return description().order_sensitive && !options.is_ordered; }

bool Call::adds_few_in_order() const { return !exact && overload->variant_of(*this).make_of_few; }

bool Call::adds_frames_in_order() const { return !exact && overload->variant_of(*this).make_in_order; }

bool Call::can_fail() const {
  if (mode != expressions::EvalMode::Ansi || !overload->can_fail) return false;
  return overload->can_fail(static_cast<uint8>(argument_types.front().id()), decimals_of(*this));
}

functions::AggregateContext Call::context() const {
  return {options, decimals_of(*this), functions::is_interval(static_cast<uint8>(result_type.id())), numbers.data(),
          static_cast<int64_t>(numbers.size())};
}

std::unique_ptr<Accumulator> Call::make_accumulator(const execution::OperatorContext& ctx) const {
  return overload->variant_of(*this).make(*this, ctx);
}

std::unique_ptr<FrameAccumulator> Call::make_in_order(const execution::OperatorContext& ctx) const {
  return adds_frames_in_order() ? overload->variant_of(*this).make_in_order(*this, ctx) : nullptr;
}

std::unique_ptr<Accumulator> Call::make_of_few(const execution::OperatorContext& ctx) const {
  const Variant& variant = overload->variant_of(*this);
  return adds_few_in_order() ? variant.make_of_few(*this, ctx) : variant.make(*this, ctx);
}

const Variant& Overload::variant_of(const Call& call) const {
  const auto is_wide = [](const DataType& type) {
    return type.is_decimal() && type.physical() == types::PhysicalType::Int128;
  };
  return wide.make && std::ranges::any_of(call.argument_types, is_wide) ? wide : narrow;
}

std::string_view Function::name() const {
  const std::string_view sql = description->sql;
  return sql.substr(0, sql.find('('));
}

const Overload* Function::overload_for(const Call& call) const {
  const auto found = std::ranges::find_if(overloads, [&](const Overload& overload) { return fits(overload, call); });
  return found == overloads.end() ? nullptr : &*found;
}

bool Accumulator::update_repeated(const columns::ColumnPtr&, std::span<const int64_t>) { return false; }

bool Accumulator::slide(std::span<const int32_t>, std::span<const int32_t>, Arguments) { return false; }

void Accumulator::merge_words(std::span<const uint64_t>, std::span<const int32_t>) {
  throw Error(ErrorKind::Internal, "states of a device that has none of this function");
}

std::vector<columns::ColumnPtr> Accumulator::states(int64_t, int64_t) const {
  throw Error(ErrorKind::Internal, "states of groups that are no columns");
}

void Accumulator::merge_states(Arguments, std::span<const int32_t>) {
  throw Error(ErrorKind::Internal, "states of groups that are no columns");
}

std::unique_ptr<Accumulator> Accumulator::rearranged(std::span<const int32_t>,
                                                     const execution::OperatorContext&) const {
  return nullptr;
}

}  // namespace accelerant::aggregates
