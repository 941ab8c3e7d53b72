#include "plan/replicate.h"

#include "plan/estimates.h"

namespace accelerant::plan {

double Replicate::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

}  // namespace accelerant::plan
