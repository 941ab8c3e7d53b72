#include "codegen/group_kernel.h"

#include "base/error.h"
#include "codegen/kernel_text.h"
#include "device/primitives/update_groups.h"

#include <algorithm>

namespace accelerant::codegen {

namespace {

constexpr const char* kBlockTemplate = "template <device::Threads B> ACC_HD static ";

constexpr const char* kRowsOfGroup = "functions::SharedState<functions::RowCount>";

std::string name_of_output(int output) { return "row.out" + std::to_string(output); }

/// Returns the text of what a state takes of a row.
std::string state_value(const GroupState& state) {
  return "cast_to<" + type_name(state.value) + ">(" + name_of_output(state.arguments.front()) + ".value)";
}

/// Returns the text of the condition that a row counts.
std::string counts_text(const GroupState& state) {
  std::string text;
  for (const int argument : state.arguments) text += (text.empty() ? "" : " && ") + name_of_output(argument) + ".valid";
  return text.empty() ? "true" : text;
}

/// Returns the headers that states need.
std::vector<std::string> headers_of(const GroupShape& shape) {
  std::vector<std::string> headers = {"codegen/group_arguments.h", "functions/aggregate/row_count.h",
                                      "functions/aggregate/shared_state.h"};
  for (const GroupState& state : shape.states) headers.emplace_back(state.form->header);
  return headers;
}

/// Returns the outputs that the end of a pipeline looks at, once each.
std::vector<int> outputs_of(const GroupShape& shape) {
  std::vector<int> wanted;
  for (size_t i = 0; i < shape.keys.size(); ++i) wanted.push_back(static_cast<int>(i));
  for (const GroupState& state : shape.states) {
    for (const int argument : state.arguments) {
      if (std::ranges::find(wanted, argument) == wanted.end()) wanted.push_back(argument);
    }
  }
  return wanted;
}

std::string group_of_text(const GroupShape& shape) {
  std::string text = "ACC_HD static int32 group_of(const Arguments& arguments, const Row& row) {\nint32 group = 0;\n";
  for (size_t i = 0; i < shape.keys.size(); ++i) {
    text +=
        "group += code_of(" + name_of_output(static_cast<int>(i)) + ", arguments.groups, " + std::to_string(i) + ");\n";
  }
  return text + "return group;\n}\n";
}

/// Returns a statement that adds a row to a state.
std::string update_text(const std::string& state, int32_t offset, bool may_be_null, const std::string& value) {
  return state + "::update(access_to<device::Scope::Block>(block, states.at(" + std::to_string(offset) +
         ", group, copy)), " + (may_be_null ? "true" : "false") + (value.empty() ? "" : ", " + value) + ");\n";
}

std::string update_text(const GroupShape& shape) {
  std::string text = std::string(kBlockTemplate) +
                     "void update(B& block, const Row& row, const LocalStates& states, int32 group, int32 copy) {\n" +
                     update_text(kRowsOfGroup, 0, false, "");
  for (const GroupState& state : shape.states) {
    if (state.nullable) text += "if (" + counts_text(state) + ") ";
    text += update_text(state.form->name, state.offset, state.nullable, state.takes_value() ? state_value(state) : "");
  }
  return text + "}\n";
}

std::string merge_text(const std::string& state, int32_t offset) {
  const std::string at = std::to_string(offset);
  return "merge_copies<" + state + ">(block, states.at(" + at + ", group, 0), groups.num_copies, {to + " + at +
         ", 1});\n";
}

std::string merge_text(const GroupShape& shape) {
  std::string text = std::string(kBlockTemplate) +
                     "void merge(B& block, const LocalStates& states, int32 group, const Arguments& arguments) {\n"
                     "const GroupArguments& groups = arguments.groups;\n"
                     "uint64* to = groups.states + int64{group} * kNumStateWords;\n" +
                     merge_text(kRowsOfGroup, 0);
  for (const GroupState& state : shape.states) text += merge_text(state.form->name, state.offset);
  return text + "}\n";
}

/// Returns statements that put a key into `words`.
std::string key_text(const KeyField& field, size_t position) {
  const std::string name = name_of_output(static_cast<int>(position));
  const std::string shift = " << " + std::to_string(field.shift);
  std::string value = field.is_coded()
                          ? "arguments.groups.renumbered[" + std::to_string(position) + "][" + name + ".value]"
                          : "cast_to<" + type_name(field.key.type.physical()) + ">(" + name + ".value)";
  std::string text = "if (" + name + ".valid) words |= key_bits(" + value + ")" + shift + ";\n";
  if (!field.key.nullable) return text;
  const int32_t null_shift = field.has_null_bit ? field.shift + field.value_bits : field.shift + field.value_bits - 1;
  return text + "else words |= uint128{1} << " + std::to_string(null_shift) + ";\n";
}

std::string inputs_store_text(const GroupShape& shape) {
  std::string text = std::string(kBlockTemplate) +
                     "void store(B& block, const Arguments& arguments, int64 i, bool is_there, const Row& row) {\n"
                     "uint128 words = 0;\n";
  for (size_t k = 0; k < shape.keys.size(); ++k) text += key_text(shape.keys[k], k);
  for (int32_t word = 0; word < shape.num_key_words; ++word) {
    text += "store_output<uint64, false>(block, arguments.outputs[" + std::to_string(word) +
            "], i, is_there, value_of(static_cast<uint64>(words >> " + std::to_string(word * 64) + ")));\n";
  }
  int32_t output = shape.num_key_words;
  for (const GroupState& state : shape.states) {
    if (!has_input(state)) continue;
    const std::string type = state.takes_value() ? type_name(state.value) : "int8";
    text += "store_output<" + type + ", " + (state.nullable ? "true" : "false") + ">(block, arguments.outputs[" +
            std::to_string(output++) + "], i, is_there, RowValue<" + type + ">{" +
            (state.takes_value() ? state_value(state) : "int8{0}") + ", " + counts_text(state) + ", false});\n";
  }
  return text + "}\n";
}

/// How many columns the kernel of inputs makes.
size_t num_inputs_made(const GroupShape& shape) {
  return static_cast<size_t>(shape.num_key_words + std::ranges::count_if(shape.states, has_input));
}

/// Returns the type of an aggregate (device/kernels/update_groups.h).
std::string aggregate_text(const std::string& state, types::PhysicalType value, bool nullable) {
  const bool takes_value = value != types::PhysicalType::Null;
  return "device::kernels::GroupAggregate<" + state + ", " +
         (takes_value ? type_name(value) : "device::kernels::NoValue") + ", " + (nullable ? "true" : "false") + ">";
}

}  // namespace

bool has_input(const GroupState& state) { return state.takes_value() || state.nullable; }

RowKernel make_few_groups_kernel(const RowSteps& steps, const GroupShape& shape) {
  RowEnd end;
  end.name = "few_groups";
  end.headers = headers_of(shape);
  end.arguments = "GroupArguments groups";
  end.members = "static constexpr int32 kNumStateWords = " + std::to_string(shape.num_state_words) +
                ";\ntemplate <device::Threads B> struct Shared { uint64 words[kLocalStateWords]; };\n" +
                group_of_text(shape) + update_text(shape) + merge_text(shape) + kBlockTemplate +
                "void run(B& block, Shared<B>& shared, const Arguments& arguments) {\n"
                "update_few_groups<Kernel>(block, shared.words, arguments);\n}\n";
  return make_row_kernel(steps, RowPart::All, outputs_of(shape), 0, end);
}

RowKernel make_group_inputs_kernel(const RowSteps& steps, const GroupShape& shape) {
  RowEnd end;
  end.name = "group_inputs";
  end.headers = headers_of(shape);
  end.arguments = "GroupArguments groups";
  end.members = "template <device::Threads B> struct Shared {};\n" + inputs_store_text(shape) + kBlockTemplate +
                "void run(B& block, Shared<B>&, const Arguments& arguments) {\nmake_outputs<Kernel>(block, "
                "arguments);\n}\n";
  return make_row_kernel(steps, RowPart::Outputs, outputs_of(shape), num_inputs_made(shape), end);
}

KernelText make_group_updates_kernel(const GroupShape& shape) {
  // More do not fit the arguments of a launch.
  constexpr size_t kMostStates = 100;
  if (shape.states.size() > kMostStates) throw_unsupported(std::to_string(shape.states.size()) + " aggregates");
  std::string aggregates = aggregate_text(kRowsOfGroup, types::PhysicalType::Null, false);
  for (const GroupState& state : shape.states) {
    aggregates += ", " + aggregate_text(state.form->name, state.value, state.nullable);
  }
  const std::string base = "device::kernels::UpdateGroups<" + std::to_string(device::kUpdateThreads) + ", " +
                           std::to_string(device::kUpdateItems) + ", " + aggregates + ">";
  std::vector<std::string> headers = headers_of(shape);
  headers.emplace_back("device/kernels/update_groups.h");
  return make_kernel_text("group_updates", {headers.begin(), headers.end()}, base, "", device::kUpdateThreads);
}

}  // namespace accelerant::codegen
