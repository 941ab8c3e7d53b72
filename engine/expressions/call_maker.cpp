#include "expressions/call_maker.h"

#include "base/error.h"
#include "columns/column.h"
#include "expressions/natural_order.h"
#include "types/same_values.h"

#include <algorithm>
#include <string>

namespace accelerant::expressions {

using types::DataType;
using types::TypeId;

void CallMaker::refuse_with(std::string_view what) { throw_unsupported(std::string(what)); }

bool CallMaker::has_values_of(Slot value, const DataType& type) const {
  return types::same_values(type_of(value), type);
}

void CallMaker::require_type(Slot value, const DataType& expected) const {
  if (has_values_of(value, expected)) return;
  refuse("over " + type_of(value).to_string() + " where " + expected.to_string() + " is due");
}

Slot CallMaker::call(std::string_view spark_class, std::vector<Slot> arguments, EvalMode mode,
                     std::shared_ptr<const types::ZoneRules> zone) const {
  return builder().call(spark_class, std::move(arguments), type(), mode, expression(), std::move(zone));
}

Slot CallMaker::call_other(std::string_view name, std::vector<Slot> arguments, const DataType& result) const {
  const std::string full_name = "org.apache.spark.sql.catalyst.expressions." + std::string(name);
  return builder().call(full_name, std::move(arguments), result, EvalMode::Ansi, expression());
}

bool CallMaker::is_natural_order(const BoundLambda& lambda) {
  return lambda.captured.empty() && expressions::is_natural_order(*lambda.program);
}

Slot CallMaker::up_to_null(const std::vector<Slot>& arguments, Slot result) const {
  // Nothing is to be skipped behind the last one that can fail.
  const auto fails = [&](Slot argument) { return builder().can_fail(argument); };
  const auto last = std::find_if(arguments.rbegin(), arguments.rend(), fails);
  std::vector<std::pair<Slot, Slot>> branches;
  for (auto argument = last; argument != arguments.rend(); ++argument) {
    if (argument != last && builder().nullable(*argument)) branches.emplace_back(is_null(*argument), null());
  }
  if (branches.empty()) return result;
  std::ranges::reverse(branches);
  return builder().case_when(std::move(branches), result, type());
}

Slot CallMaker::call_in_turn(std::vector<Slot> values, size_t width) const {
  while (values.size() > 1) {
    std::vector<Slot> called;
    for (size_t first = 0; first < values.size(); first += width) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(first + width, values.size()));
      called.push_back(end - begin == 1 ? *begin : call({begin, end}));
    }
    values = std::move(called);
  }
  return values.front();
}

bool CallMaker::is_constant_from_0_on(Slot value) const {
  const columns::ColumnPtr constant = builder().constant_of(value);
  return constant && constant->type().is(TypeId::Int) && !constant->is_null(0) && constant->values<int32_t>()[0] >= 0;
}

}  // namespace accelerant::expressions
