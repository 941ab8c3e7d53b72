#include "expressions/nested_call.h"

#include "functions/cast/cast.h"
#include "functions/string/to_pretty_string.h"

namespace accelerant::expressions {

using types::DataType;
using types::TypeId;

namespace {

using Zone = std::shared_ptr<const types::ZoneRules>;

/// Returns the text of a nested value: `text_of_child(call, value)` makes the texts of its children's values.
template <class TextOfChild>
Slot text_of_nested(const CallMaker& call, Slot value, EvalMode mode, std::string_view null_text,
                    const TextOfChild& text_of_child) {
  const DataType texts = with_texts(call.type_of(value));
  const bool has_texts = call.has_values_of(value, texts);
  const Slot children = has_texts ? value : convert_children(call, value, texts, mode, text_of_child);
  return call.call("io.accelerant.NestedText", {children, call.constant_text(null_text)});
}

}  // namespace

DataType with_texts(const DataType& nested) {
  const DataType text(TypeId::String);
  if (nested.is(TypeId::Array)) return DataType::array(text, true);
  if (nested.is(TypeId::Map)) return DataType::map(text, text, true);
  std::vector<types::Field> members = nested.fields();
  for (types::Field& member : members) member = {member.name, text, true};
  return DataType::structure(std::move(members));
}

Slot CallMaker::cast_nested(Slot value, EvalMode mode, const Zone& zone) const {
  const auto cast_child = [&](const CallMaker& child, Slot child_value) {
    return functions::Cast::cast(child, child_value, child.type(), mode, zone);
  };
  if (type().is(TypeId::String)) return text_of_nested(*this, value, mode, "null", cast_child);
  return convert_children(*this, value, type(), mode, cast_child);
}

Slot CallMaker::show_nested(Slot value, const Zone& zone) const {
  return text_of_nested(*this, value, EvalMode::Ansi, "NULL", [&](const CallMaker& child, Slot child_value) {
    return functions::ToPrettyString::text_of(child, child_value, zone);
  });
}

}  // namespace accelerant::expressions
