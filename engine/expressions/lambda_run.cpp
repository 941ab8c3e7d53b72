#include "expressions/lambda_run.h"

#include <utility>

namespace accelerant::expressions {

LambdaRun::LambdaRun(const LambdaCode& code, std::shared_ptr<memory::Budget> budget,
                     std::shared_ptr<const execution::Parameters> parameters)
    : num_arguments_(code.num_arguments), evaluator_(code.program, std::move(budget), -1, std::move(parameters)) {}

column_functions::LambdaResult LambdaRun::evaluate(std::vector<columns::ColumnPtr> columns, int64_t num_rows) {
  columns::Batch in;
  in.num_rows = num_rows;
  in.columns = std::move(columns);
  columns::Batch out = evaluator_.project(in);
  column_functions::LambdaResult result{std::move(out.columns.front()), {}};
  for (const columns::RowError& error : out.errors) result.failed.push_back(error.row);
  return result;
}

}  // namespace accelerant::expressions
