#pragma once

#include "codegen/row_steps.h"
#include "columns/column.h"
#include "types/data_type.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace accelerant::codegen {

/// Which part of the steps a text computes of a row.
enum class RowPart : uint8_t {
  Filters,  ///< whether it is kept: the steps as far as the last filter
  Outputs,  ///< the columns of rows that are kept
  All,
};

/// A column that the last step makes.
struct RowOutput {
  types::DataType type;
  bool nullable = true;
  types::PhysicalType physical = types::PhysicalType::Null;  ///< of the text's value
  std::optional<int> input;                                  ///< the input column that it is
};

/// A constant that a kernel takes as an argument: one value, or the values of a list.
struct RowConstant {
  columns::ColumnPtr values;     ///< flat; of a list, nulls are no part
  types::PhysicalType physical;  ///< as the text reads them
  bool is_list = false;
};

/// Members of a kernel's struct, over KernelArguments (codegen/row_arguments.h) named Arguments:
///   struct Row { bool kept; bool failed; RowValue<...> out0; RowValue<...> out1; ... }
///   static Row compute(const Arguments& arguments, int64 row)
/// `kept` says whether the row passes all filters; `outI` is output I, of those that are asked for.
struct RowText {
  std::set<std::string> headers;  ///< of the functions that it calls
  std::string members;
  std::vector<RowOutput> outputs;  ///< of the last step, all
  std::vector<RowConstant> constants;
};

/// Returns the C++ name of a physical type in generated text.
/// @throws Error Unsupported for one that has none
std::string type_name(types::PhysicalType physical);

/// Writes the text of a part of the steps.
/// @param wanted positions of the outputs that a Row has, of those that RowPart has
/// @throws Error Unsupported with the reason why there is none
RowText make_row_text(const RowSteps& steps, RowPart part, const std::vector<int>& wanted);

}  // namespace accelerant::codegen
