#include "codegen/group_shape.h"

#include "base/error.h"
#include "codegen/row_groups.h"

#include <algorithm>

namespace accelerant::codegen {

using device::kernels::AggregateKind;
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

/// Says whether a kind of aggregate takes values of a type.
bool takes(AggregateKind kind, PhysicalType physical) {
  const bool is_floating = physical == PhysicalType::Float32 || physical == PhysicalType::Float64;
  switch (kind) {
    case AggregateKind::Count:
      return true;
    case AggregateKind::SumInt64:
      return physical != PhysicalType::Int128 && physical != PhysicalType::String && !is_floating;
    case AggregateKind::SumInt128:
      return physical == PhysicalType::Int128;
    case AggregateKind::SumDouble:
      return is_floating;
    case AggregateKind::Minimum:
    case AggregateKind::Maximum:
      break;
  }
  return physical != PhysicalType::Int128 && physical != PhysicalType::String;
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
  shape.calls = calls;
  shape.num_state_words = CountState::kNumWords;
  for (const GroupCall& call : calls) {
    const RowOutput argument = call.argument < 0 ? RowOutput{} : outputs[static_cast<size_t>(call.argument)];
    const PhysicalType physical = argument.type.physical();
    if (!takes(call.kind, physical)) {
      throw_unsupported(std::string("an aggregate of this kind over ") + argument.type.to_string());
    }
    // What the text proves to fit 64 bits is summed up as such: the states are the same.
    const bool is_narrow = call.kind == AggregateKind::SumInt128 && argument.physical == PhysicalType::Int64;
    if (is_narrow) shape.calls[shape.arguments.size()].kind = AggregateKind::SumInt64;
    shape.arguments.push_back(argument);
    shape.offsets.push_back(shape.num_state_words);
    shape.num_state_words += device::kernels::num_state_words(call.kind);
  }
  return shape;
}

}  // namespace accelerant::codegen
