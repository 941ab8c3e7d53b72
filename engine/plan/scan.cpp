#include "plan/scan.h"

namespace accelerant::plan {

std::string Scan::describe() const {
  return "columns=" + std::to_string(spec->columns.size()) + " filters=" + std::to_string(spec->filters.size());
}

}  // namespace accelerant::plan
