#include "operators/select_columns.h"

namespace accelerant::operators {

Step SelectColumns::process(State&, columns::Batch& in, std::optional<columns::Batch>& out) const {
  std::vector<columns::ColumnPtr> columns;
  for (size_t position : kept_) columns.push_back(std::move(in.columns[position]));
  out = std::move(in);
  out->columns = std::move(columns);
  return Step::needs_input();
}

}  // namespace accelerant::operators
