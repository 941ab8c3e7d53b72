#include "plan/expand.h"

#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <algorithm>
#include <utility>

namespace accelerant::plan {

std::string Expand::describe() const {
  return "projections=" + std::to_string(projections.size()) + (in_row_order ? " in row order" : "");
}

double Expand::estimate_rows(Estimates& estimates) const {
  return estimates.rows(*inputs.front()) * static_cast<double>(projections.size());
}

std::vector<ColumnOrigin> Expand::origins_of(int column) const {
  const std::vector<ColumnOrigin> origins = origins_in(*projections.front(), column);
  const bool are_same = std::ranges::all_of(
      projections, [&](const ProgramPtr& program) { return origins_in(*program, column) == origins; });
  return are_same ? origins : std::vector<ColumnOrigin>();
}

ColumnPositions Expand::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  for (ProgramPtr& projection : projections) projection = expressions::moved(projection, places.front());
  return stay_above(std::move(changed));
}

std::vector<ColumnMask> Expand::columns_read(const ColumnMask&) const {
  ColumnMask read(inputs.front()->output.size(), false);
  for (const auto& projection : projections) add_inputs(read, projection.get());
  return {read};
}

}  // namespace accelerant::plan
