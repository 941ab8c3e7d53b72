#include "plan/filter.h"

namespace accelerant::plan {

std::string Filter::describe() const { return "conjuncts=" + std::to_string(num_conjuncts); }

std::vector<ColumnMask> Filter::columns_read(const ColumnMask& wanted) const {
  ColumnMask read = wanted;
  add_inputs(read, program.get());
  return {read};
}

}  // namespace accelerant::plan
