#include "codegen/group_kernel.h"

#include "base/error.h"

#include <algorithm>

namespace accelerant::codegen {

using device::kernels::AggregateKind;

namespace {

constexpr const char* kBlockTemplate = "template <device::Threads B> ACC_HD static ";

/// Returns the name of the state of a kind (device/kernels/aggregate_states.h).
const char* state_of(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::Count:
      return "CountState";
    case AggregateKind::SumInt64:
      return "SumState<int64>";
    case AggregateKind::SumInt128:
      return "SumState<int128>";
    case AggregateKind::SumDouble:
      return "DoubleSumState";
    case AggregateKind::Minimum:
      return "ExtremeState<Smaller>";
    case AggregateKind::Maximum:
      break;
  }
  return "ExtremeState<Greater>";
}

std::string name_of_output(int output) { return "row.out" + std::to_string(output); }

/// Returns the text of a call's value as its state takes it.
std::string state_value(const GroupCall& call) {
  const std::string value = name_of_output(call.argument) + ".value";
  switch (call.kind) {
    case AggregateKind::Count:
      return "0";
    case AggregateKind::SumInt64:
      return "static_cast<int64>(" + value + ")";
    case AggregateKind::SumInt128:
      return "static_cast<int128>(" + value + ")";
    case AggregateKind::SumDouble:
      return "static_cast<double>(" + value + ")";
    case AggregateKind::Minimum:
    case AggregateKind::Maximum:
      break;
  }
  return "ordered(" + value + ")";
}

/// Returns the outputs that the end of a pipeline looks at, once each.
std::vector<int> outputs_of(const GroupShape& shape) {
  std::vector<int> wanted;
  for (size_t i = 0; i < shape.keys.size(); ++i) wanted.push_back(static_cast<int>(i));
  for (const GroupCall& call : shape.calls) {
    if (call.argument >= 0 && std::ranges::find(wanted, call.argument) == wanted.end()) wanted.push_back(call.argument);
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

std::string update_text(const GroupShape& shape) {
  std::string text = std::string(kBlockTemplate) +
                     "void update(B& block, const Row& row, const LocalStates& states, int32 group, int32 copy) {\n"
                     "CountState::update<device::Scope::Block>(block, states.at(0, group, copy), 0, false);\n";
  for (size_t i = 0; i < shape.calls.size(); ++i) {
    const GroupCall& call = shape.calls[i];
    const bool may_be_null = call.argument >= 0 && shape.arguments[i].nullable;
    if (may_be_null) text += "if (" + name_of_output(call.argument) + ".valid) ";
    text += std::string(state_of(call.kind)) + "::update<device::Scope::Block>(block, states.at(" +
            std::to_string(shape.offsets[i]) + ", group, copy), " + state_value(call) +
            (may_be_null ? ", true);\n" : ", false);\n");
  }
  return text + "}\n";
}

std::string merge_text(const GroupShape& shape) {
  std::string text = std::string(kBlockTemplate) +
                     "void merge(B& block, const LocalStates& states, int32 group, const Arguments& arguments) {\n"
                     "const GroupArguments& groups = arguments.groups;\n"
                     "uint64* to = groups.states + int64{group} * kNumStateWords;\n"
                     "CountState::merge(block, states.at(0, group, 0), groups.num_copies, {to, 1});\n";
  for (size_t i = 0; i < shape.calls.size(); ++i) {
    const std::string offset = std::to_string(shape.offsets[i]);
    text += std::string(state_of(shape.calls[i].kind)) + "::merge(block, states.at(" + offset +
            ", group, 0), groups.num_copies, {to + " + offset + ", 1});\n";
  }
  return text + "}\n";
}

/// Returns the name of the type that a state of a kind reads.
const char* input_type_of(AggregateKind kind) {
  if (kind == AggregateKind::SumDouble) return "double";
  return kind == AggregateKind::SumInt128 ? "int128" : "int64";
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
  for (size_t i = 0; i < shape.calls.size(); ++i) {
    const GroupCall& call = shape.calls[i];
    if (call.argument < 0) continue;
    const std::string type = input_type_of(call.kind);
    const std::string value = call.kind == AggregateKind::Count ? "int64{0}" : state_value(call);
    text += "store_output<" + type + ", " + (shape.arguments[i].nullable ? "true" : "false") +
            ">(block, arguments.outputs[" + std::to_string(output++) + "], i, is_there, Value<" + type + ">{" + value +
            ", " + name_of_output(call.argument) + ".valid, false});\n";
  }
  return text + "}\n";
}

/// How many columns the kernel of inputs makes.
size_t num_inputs_made(const GroupShape& shape) {
  const auto has_argument = [](const GroupCall& call) { return call.argument >= 0; };
  return static_cast<size_t>(shape.num_key_words + std::ranges::count_if(shape.calls, has_argument));
}

}  // namespace

RowKernel make_few_groups_kernel(const RowSteps& steps, const GroupShape& shape) {
  RowEnd end;
  end.name = "few_groups";
  end.headers = {"codegen/row_groups.h"};
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
  end.headers = {"codegen/row_groups.h"};
  end.arguments = "GroupArguments groups";
  end.members = "template <device::Threads B> struct Shared {};\n" + inputs_store_text(shape) + kBlockTemplate +
                "void run(B& block, Shared<B>&, const Arguments& arguments) {\nmake_outputs<Kernel>(block, "
                "arguments);\n}\n";
  return make_row_kernel(steps, RowPart::Outputs, outputs_of(shape), num_inputs_made(shape), end);
}

}  // namespace accelerant::codegen
