#pragma once

#include "codegen/row_text.h"
#include "expressions/instruction.h"
#include "types/decimal.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accelerant::codegen {

/// A local of generated text that holds a RowValue.
struct SlotText {
  std::string name;
  types::PhysicalType physical = types::PhysicalType::Null;
  bool nullable = true;
  bool can_fail = false;
  types::DecimalRange range = {};  ///< of a decimal, as its type or what computed it says
};

/// A column between two steps.
struct RowColumn {
  types::DataType type;
  bool nullable = true;
  std::optional<SlotText> value;  ///< nullopt: an input that nobody has read yet
  std::optional<int> input;       ///< the input column that it is
  device::ColumnLayout layout = device::ColumnLayout::Fixed;

  static RowColumn of_input(const InputColumn& input, size_t position);
  /// Says whether it stands for positions in a dictionary.
  bool is_coded() const { return input && layout == device::ColumnLayout::Codes; }
};

/// What text is put together from.
struct TextParts {
  std::set<std::string> headers;
  std::string members;  ///< of the kernel's struct: constants of the text
  std::string body;     ///< statements
  std::vector<RowConstant> constants;
};

/// Writes the instructions of programs as statements, as their outputs are asked for.
class ProgramText {
 public:
  ProgramText(TextParts& text, std::shared_ptr<const execution::Parameters> parameters)
      : text_(text), parameters_(std::move(parameters)) {}

  /// Goes on with a program over columns, which have to stay.
  void start(const expressions::Program& program, std::vector<RowColumn>& columns);
  /// Returns the value of an output; outputs are asked for in order.
  /// @throws Error Unsupported with the reason why there is no text for it
  SlotText output(int index);
  /// Returns the value of a column.
  SlotText value_of(RowColumn& column);
  /// Returns the positions in a dictionary that a column stands for.
  SlotText codes_of(const RowColumn& column);

 private:
  SlotText write(const expressions::Instruction& instruction);
  SlotText constant(const columns::Column& value);
  /// Where parameters have no values yet it is null: what can be written then can be later.
  SlotText parameter(const expressions::Instruction& instruction);
  SlotText call(const expressions::Instruction& instruction);
  SlotText case_when(const expressions::Instruction& instruction);
  SlotText coalesce(const expressions::Instruction& instruction);
  SlotText in_list(const expressions::Instruction& instruction);
  SlotText logic(const expressions::Instruction& instruction);
  const SlotText& argument(const expressions::Instruction& instruction, size_t i) const;
  /// Returns the text of a value in another physical type.
  static std::string in_type(const SlotText& value, types::PhysicalType physical);
  /// Adds a local.
  SlotText declare(const std::string& expression, SlotText value);
  int add_constant(RowConstant constant);

  TextParts& text_;
  const std::shared_ptr<const execution::Parameters> parameters_;
  const expressions::ProgramParts* parts_ = nullptr;
  std::vector<RowColumn>* columns_ = nullptr;
  std::vector<SlotText> slots_;  ///< of the program's instructions written so far
  int num_locals_ = 0;
};

}  // namespace accelerant::codegen
