#pragma once

#include "codegen/kernel_compiler.h"
#include "codegen/row_text.h"

#include <string>
#include <vector>

namespace accelerant::codegen {

/// A kernel over rows, and what its arguments (codegen/row_arguments.h) are made of.
struct RowKernel {
  KernelText text;
  size_t num_inputs = 0;
  size_t num_made = 0;             ///< columns that it makes
  std::vector<RowOutput> outputs;  ///< all of the last step
  std::vector<RowConstant> constants;
};

/// How a kernel ends: members of its struct beside those of the row.
struct RowEnd {
  std::string name;     ///< begins the kernel's
  std::string members;  ///< among them run(); `Kernel` names the struct
  std::vector<std::string> headers = {};
  std::string arguments = {};  ///< a member that follows those of KernelArguments, if any
};

/// Puts a kernel together.
/// @param wanted outputs of the last step that it looks at
/// @param num_made columns that it makes
/// @throws Error Unsupported with the reason why there is none, such as arguments that a launch cannot take
RowKernel make_row_kernel(const RowSteps& steps, RowPart part, const std::vector<int>& wanted, size_t num_made,
                          const RowEnd& end);

/// A kernel that finds the rows that are kept.
RowKernel make_filter_kernel(const RowSteps& steps);
/// A kernel that makes columns of rows that are kept: those wanted, none of them strings.
RowKernel make_output_kernel(const RowSteps& steps, const std::vector<int>& wanted);

}  // namespace accelerant::codegen
