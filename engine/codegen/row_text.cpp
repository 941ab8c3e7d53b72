#include "codegen/row_text.h"

#include "codegen/program_text.h"

#include <algorithm>
#include <utility>

namespace accelerant::codegen {

namespace {

/// Returns how many steps there are as far as the last filter.
size_t filtering_steps(const RowSteps& steps) {
  size_t end = steps.steps.size();
  while (end > 0 && steps.steps[end - 1].kind != RowStep::Kind::Filter) --end;
  return end;
}

/// Writes the text of steps, one after the other.
class RowWriter {
 public:
  RowWriter(const RowSteps& steps, RowPart part) : steps_(steps), part_(part), program_(text_, steps.parameters) {
    for (size_t i = 0; i < steps.inputs.size(); ++i) columns_.push_back(RowColumn::of_input(steps.inputs[i], i));
  }

  RowText write(const std::vector<int>& wanted) {
    const size_t end = part_ == RowPart::Filters ? filtering_steps(steps_) : steps_.steps.size();
    for (size_t i = 0; i < end; ++i) {
      if (steps_.steps[i].kind == RowStep::Kind::Project) {
        project(*steps_.steps[i].program);
      } else if (part_ != RowPart::Outputs) {
        filter(*steps_.steps[i].program);
      }
    }
    return finish(wanted);
  }

 private:
  void filter(const expressions::Program& program) {
    program_.start(program, columns_);
    for (int i = 0; i < program.num_outputs(); ++i) {
      const SlotText condition = program_.output(i);
      text_.body += "if (" + condition.name + ".failed) {\n  computed.failed = true;\n  return computed;\n}\n";
      text_.body += "if (!is_true(" + condition.name + ")) return computed;\n";
    }
  }

  /// A projection's columns count as soon as they are computed: their errors too.
  void project(const expressions::Program& program) {
    program_.start(program, columns_);
    std::vector<RowColumn> made;
    for (int i = 0; i < program.num_outputs(); ++i) {
      if (const std::optional<int> column = program.input_of(i)) {
        made.push_back(columns_[static_cast<size_t>(*column)]);
        made.back().type = program.output_type(i);
        continue;
      }
      const SlotText value = program_.output(i);
      if (value.can_fail) text_.body += "computed.failed = computed.failed || " + value.name + ".failed;\n";
      made.push_back({program.output_type(i), value.nullable, value, std::nullopt});
    }
    columns_ = std::move(made);
  }

  RowText finish(const std::vector<int>& wanted) {
    RowText result;
    std::string row = "struct Row {\n  bool kept;\n  bool failed;\n";
    for (const int i : wanted) {
      RowColumn& column = columns_.at(static_cast<size_t>(i));
      const SlotText value = column.is_coded() ? program_.codes_of(column) : program_.value_of(column);
      const std::string name = "out" + std::to_string(i);
      row += "  RowValue<" + type_name(value.physical) + "> " + name + ";\n";
      text_.body += "computed." + name + " = " + value.name + ";\n";
    }
    row += "};\n";
    for (const RowColumn& column : columns_) result.outputs.push_back(output_of(column));
    result.members = row + text_.members + "ACC_HD static Row compute(const Arguments& arguments, int64 row) {\n" +
                     "Row computed{};\n" + text_.body + "computed.kept = !computed.failed;\nreturn computed;\n}\n";
    result.headers = std::move(text_.headers);
    result.constants = std::move(text_.constants);
    return result;
  }

  static RowOutput output_of(const RowColumn& column) {
    RowOutput output{column.type, column.nullable, types::PhysicalType::Null, column.input};
    output.physical = column.is_coded() ? types::PhysicalType::Int32
                      : column.value    ? column.value->physical
                                        : column.type.physical();
    return output;
  }

  const RowSteps& steps_;
  const RowPart part_;
  TextParts text_;
  ProgramText program_;
  std::vector<RowColumn> columns_;
};

}  // namespace

bool has_filter(const RowSteps& steps) { return filtering_steps(steps) > 0; }

RowText make_row_text(const RowSteps& steps, RowPart part, const std::vector<int>& wanted) {
  return RowWriter(steps, part).write(wanted);
}

}  // namespace accelerant::codegen
