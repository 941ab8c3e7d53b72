#include "expressions/argument_errors.h"

namespace accelerant::expressions {

ErrorLane argument_errors(std::span<SlotValue* const> arguments, bool right_first, bool stops_at_null) {
  ErrorLane errors;
  for (size_t k = arguments.size(); k-- > 0;) {
    const SlotValue& value = *arguments[right_first ? arguments.size() - 1 - k : k];
    if (errors && stops_at_null) errors = where_valid(errors, *value.column);
    errors = merge(value.errors, errors);
  }
  return errors;
}

}  // namespace accelerant::expressions
