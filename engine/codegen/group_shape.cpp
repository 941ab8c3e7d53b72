#include "codegen/group_shape.h"

#include "base/error.h"
#include "codegen/group_arguments.h"

#include <algorithm>

namespace accelerant::codegen {

using types::PhysicalType;

namespace {

constexpr int32_t kWordBits = 64;

KeyField field_of(const RowOutput& output) {
  KeyField field{output};
  if (field.is_coded()) {
    if (!output.input) throw_unsupported("a key of strings that are computed");
    if (output.physical != PhysicalType::Int32) throw_unsupported("a key of strings without a dictionary");
    field.value_bits = 32;
  } else {
    field.value_bits = types::width_of(output.type.physical()) * 8;
  }
  field.has_null_bit = output.nullable && output.type.physical() != PhysicalType::Int128;
  return field;
}

/// Returns the states of a call over the columns that the last step makes.
GroupState state_of(const GroupCall& call, const std::vector<RowOutput>& outputs) {
  GroupState state{&call.form(), call.arguments};
  if (state.form->arguments.size() > 1) throw_unsupported("an aggregate of several values");
  for (const int argument : call.arguments) state.nullable |= outputs[static_cast<size_t>(argument)].nullable;
  if (state.form->arguments.empty()) return state;
  state.value = state.form->arguments.front();
  // What the text proves to fit 64 bits is taken as such.
  const RowOutput& argument = outputs[static_cast<size_t>(call.arguments.front())];
  if (state.value == PhysicalType::Int128 && argument.physical == PhysicalType::Int64) state.value = argument.physical;
  return state;
}

}  // namespace

bool GroupShape::has_small_domain() const {
  return std::ranges::all_of(
      keys, [](const KeyField& field) { return field.is_coded() || field.key.type.physical() == PhysicalType::Bool; });
}

GroupShape make_group_shape(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls) {
  const std::vector<RowOutput> outputs = make_row_text(steps, RowPart::All, {}).outputs;
  GroupShape shape;
  int32_t bits = 0;
  if (num_keys > kMostKeys) throw_unsupported(std::to_string(num_keys) + " keys of a group");
  for (int i = 0; i < num_keys; ++i) {
    KeyField& field = shape.keys.emplace_back(field_of(outputs[static_cast<size_t>(i)]));
    field.shift = bits;
    bits += field.value_bits + static_cast<int32_t>(field.has_null_bit);
  }
  shape.num_key_words = (bits + kWordBits - 1) / kWordBits;
  if (shape.num_key_words > kMostKeyWords && !shape.has_small_domain()) {
    throw_unsupported("keys of " + std::to_string(bits) + " bits");
  }
  shape.num_state_words = RowsOfGroup::kNumWords;
  for (const GroupCall& call : calls) {
    GroupState& state = shape.states.emplace_back(state_of(call, outputs));
    state.offset = shape.num_state_words;
    shape.num_state_words += state.form->num_words;
  }
  return shape;
}

}  // namespace accelerant::codegen
