#include "plan/union.h"

#include "plan/estimates.h"

namespace accelerant::plan {

double Union::estimate_rows(Estimates& estimates) const {
  double rows = 0;
  for (const NodePtr& input : inputs) rows += estimates.rows(*input);
  return rows;
}

}  // namespace accelerant::plan
