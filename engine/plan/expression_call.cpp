#include "plan/expression_call.h"

#include "base/error.h"

#include <string>

namespace accelerant::plan {

using expressions::Slot;

std::vector<Slot> ExpressionCall::slots(std::span<const int> expressions) const {
  std::vector<Slot> result;
  result.reserve(expressions.size());
  for (const int expression : expressions) result.push_back(slot(expression));
  return result;
}

void ExpressionCall::require_type(Slot value, const types::DataType& expected) const {
  const types::DataType& found = builder().type(value);
  if (found == expected) return;
  throw_unsupported("expression " + std::string(fields.short_name()) + " over " + found.to_string() + " where " +
                    expected.to_string() + " is due");
}

}  // namespace accelerant::plan
