#include "codegen/row_kernel.h"

#include "base/error.h"
#include "codegen/kernel_text.h"
#include "codegen/row_arguments.h"

#include <algorithm>
#include <utility>

namespace accelerant::codegen {

namespace {

/// What a launch takes on every driver.
constexpr size_t kMostArgumentBytes = 3840;  // and what an end adds

size_t at_least_one(size_t n) { return std::max<size_t>(n, 1); }

void check_arguments(const RowKernel& kernel) {
  const size_t bytes = sizeof(RowArguments) + at_least_one(kernel.num_inputs) * sizeof(InputView) +
                       at_least_one(kernel.num_made) * sizeof(OutputView) +
                       at_least_one(kernel.constants.size()) * sizeof(ConstantView);
  if (bytes > kMostArgumentBytes) {
    throw_unsupported(std::to_string(kernel.num_inputs) + " columns and " + std::to_string(kernel.constants.size()) +
                      " constants are more than a kernel takes");
  }
}

std::string arguments_type(const RowKernel& kernel) {
  return "KernelArguments<" + std::to_string(at_least_one(kernel.num_inputs)) + ", " +
         std::to_string(at_least_one(kernel.constants.size())) + ", " + std::to_string(at_least_one(kernel.num_made)) +
         ">";
}

}  // namespace

RowKernel make_row_kernel(const RowSteps& steps, RowPart part, const std::vector<int>& wanted, size_t num_made,
                          const RowEnd& end) {
  RowText row = make_row_text(steps, part, wanted);
  RowKernel kernel{{}, steps.inputs.size(), num_made, std::move(row.outputs), std::move(row.constants)};
  check_arguments(kernel);
  row.headers.insert({"codegen/row_arguments.h", "codegen/row_call.h"});
  row.headers.insert(end.headers.begin(), end.headers.end());
  const std::string arguments =
      end.arguments.empty() ? "using Arguments = " + arguments_type(kernel) + ";\n"
                            : "struct Arguments : " + arguments_type(kernel) + " {\n" + end.arguments + ";\n};\n";
  const std::string body = "  static constexpr int32 kThreads = " + std::to_string(kernel.text.num_threads) + ";\n" +
                           arguments + row.members + end.members;
  kernel.text = make_kernel_text(end.name, row.headers, "", body, kernel.text.num_threads);
  return kernel;
}

RowKernel make_filter_kernel(const RowSteps& steps) {
  return make_row_kernel(steps, RowPart::Filters, {}, 0,
                         {"filter",
                          "template <device::Threads B> struct Shared {};\n"
                          "template <device::Threads B> ACC_HD static void run(B& block, Shared<B>&, const Arguments& "
                          "arguments) {\n  find_kept<Kernel>(block, arguments);\n}\n"});
}

RowKernel make_output_kernel(const RowSteps& steps, const std::vector<int>& wanted) {
  const RowText row = make_row_text(steps, RowPart::Outputs, wanted);
  std::string store =
      "template <device::Threads B> ACC_HD static void store(B& block, const Arguments& arguments, int64 i, bool "
      "is_there, "
      "const Row& row) {\n";
  for (size_t k = 0; k < wanted.size(); ++k) {
    const RowOutput& output = row.outputs[static_cast<size_t>(wanted[k])];
    store += "store_output<" + type_name(output.type.physical()) + ", " + (output.nullable ? "true" : "false") +
             ">(block, arguments.outputs[" + std::to_string(k) + "], i, is_there, row.out" + std::to_string(wanted[k]) +
             ");\n";
  }
  return make_row_kernel(
      steps, RowPart::Outputs, wanted, wanted.size(),
      {"outputs", "template <device::Threads B> struct Shared {};\n" + store +
                      "}\ntemplate <device::Threads B> ACC_HD static void run(B& block, Shared<B>&, "
                      "const Arguments& arguments) {\n  make_outputs<Kernel>(block, arguments);\n}\n"});
}

}  // namespace accelerant::codegen
