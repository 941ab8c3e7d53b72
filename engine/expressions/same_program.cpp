#include "expressions/same_program.h"

#include <optional>
#include <vector>

namespace accelerant::expressions {

// A builder gives equal values one slot.
bool compute_same(const std::shared_ptr<const Program>& a, const std::shared_ptr<const Program>& b) {
  if (!a || !b) return a == b;
  if (a->num_outputs() != b->num_outputs() || a->inputs() != b->inputs()) return false;
  std::vector<std::optional<int>> columns;
  const int num_columns = a->inputs().empty() ? 0 : a->inputs().back() + 1;
  for (int i = 0; i < num_columns; ++i) columns.emplace_back(i);
  ProgramBuilder builder;
  for (int output = 0; output < a->num_outputs(); ++output) {
    if (builder.include(*a, output, columns) != builder.include(*b, output, columns)) return false;
  }
  return true;
}

}  // namespace accelerant::expressions
