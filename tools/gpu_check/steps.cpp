#include "steps.h"

namespace accelerant::gpu_check {

using codegen::RowStep;

Steps::Steps(std::vector<codegen::InputColumn> inputs) {
  for (const codegen::InputColumn& input : inputs) types_.emplace_back(input.type, input.nullable);
  steps_.inputs = std::move(inputs);
  steps_.parameters = std::make_shared<const execution::Parameters>();
}

Steps::Slot Steps::column(int position) {
  const auto& [type, nullable] = types_[static_cast<size_t>(position)];
  return builder_->input(position, type, nullable);
}

Steps::Slot Steps::call(const char* name, std::vector<Slot> arguments, const types::DataType& result,
                        expressions::EvalMode mode) {
  return builder_->call(std::string("org.apache.spark.sql.catalyst.expressions.") + name, std::move(arguments), result,
                        mode, 0);
}

void Steps::project(const std::vector<Slot>& outputs) {
  end(RowStep::Kind::Project, outputs);
  types_.clear();
  const expressions::Program& program = *steps_.steps.back().program;
  for (int i = 0; i < program.num_outputs(); ++i) types_.emplace_back(program.output_type(i), true);
}

void Steps::end(RowStep::Kind kind, const std::vector<Slot>& outputs) {
  steps_.steps.push_back({kind, std::move(*builder_).finish(outputs)});
  builder_.emplace();
}

}  // namespace accelerant::gpu_check
