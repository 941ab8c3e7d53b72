#pragma once

#include "column_functions/lambda.h"
#include "execution/context.h"
#include "expressions/evaluator.h"
#include "expressions/instruction.h"

#include <memory>
#include <vector>

namespace accelerant::expressions {

/// Runs a lambda for one worker.
class LambdaRun final : public column_functions::Lambda {
 public:
  LambdaRun(const LambdaCode& code, std::shared_ptr<memory::Budget> budget,
            std::shared_ptr<const execution::Parameters> parameters);

  size_t num_arguments() const override { return num_arguments_; }
  column_functions::LambdaResult evaluate(std::vector<columns::ColumnPtr> columns, int64_t num_rows) override;

 private:
  const size_t num_arguments_;
  Evaluator evaluator_;
};

}  // namespace accelerant::expressions
