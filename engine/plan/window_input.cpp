#include "plan/window_input.h"

#include "base/error.h"

#include <algorithm>
#include <string>

namespace accelerant::plan {

using expressions::Slot;

int WindowInput::column_of(int expression) {
  if (short_name(message_.node(expression).class_name) == "AttributeReference") {
    return binder_.find_attribute(read_attribute(message_, expression).expr_id)->position;
  }
  return column_of_slot(binder_.slot(expression));
}

int WindowInput::column_of_slot(Slot slot) {
  const auto found = std::ranges::find(computed_, slot);
  const auto place = static_cast<size_t>(found - computed_.begin());
  if (found == computed_.end()) computed_.push_back(slot);
  return static_cast<int>(input_.node->output.size() + place);
}

int WindowInput::column_of_bound(Slot bound) {
  if (std::ranges::find(computed_, bound) == computed_.end()) bounds_.push_back(bound);
  return column_of_slot(bound);
}

int64_t WindowInput::constant_int(int expression, std::string_view what) {
  const columns::ColumnPtr constant = binder_.builder().constant_of(binder_.slot(expression));
  if (!constant || !constant->type().is(types::TypeId::Int) || constant->is_null(0)) {
    throw_unsupported(std::string(what) + " that is no constant int");
  }
  return *constant->values<int32_t>();
}

bool WindowInput::is_null(int expression) {
  const columns::ColumnPtr constant = binder_.builder().constant_of(binder_.slot(expression));
  return constant && constant->is_null(0);
}

// Spark evaluates an argument only in rows that a function looks at. Its analyzer computes most of them below a window.
ProgramPtr WindowInput::finish() {
  binder_.throw_if_failed();
  if (computed_.empty()) return nullptr;
  const bool may_fail = std::ranges::any_of(computed_, [this](Slot slot) {
    return binder_.builder().can_fail(slot) && std::ranges::find(bounds_, slot) == bounds_.end();
  });
  if (may_fail) throw_unsupported("keys or arguments of a window that may fail");
  return binder_.finish(computed_);
}

}  // namespace accelerant::plan
