#include "plan/node_settings.h"

#include "base/error.h"
#include "plan/plan_message.h"
#include "plan/settings.h"

#include <algorithm>
#include <string>

namespace accelerant::plan {

using types::TypeId;

namespace {

constexpr std::string_view kPrefix = "spark.sql.";

const Value* find_field(const MessageNode& node, std::string_view name) {
  const auto found = std::ranges::find(node.fields, name, &NamedValue::name);
  return found == node.fields.end() ? nullptr : &found->value;
}

bool reads_files(const PlanMessage&, const MessageNode& node) {
  return node.is_plan && short_name(node.class_name) == "FileSourceScanExec";
}

/// Says whether a column, or what may be in it, says by which field id it is found.
bool may_have_field_id(const MessageNode& column) {
  const Value* metadata = find_field(column, "metadata");
  const Text* json = metadata ? metadata->get_if<Text>() : nullptr;
  return (column.type && column.type->is_nested()) || (json && json->text.find("parquet.field.id") != json->text.npos);
}

/// Spark looks for ids of fields only where the schema that it reads with has some.
bool reads_by_field_ids(const PlanMessage& message, const MessageNode& node) {
  const Value* output = reads_files(message, node) ? find_field(node, "output") : nullptr;
  bool found = false;
  if (output) for_each_node(*output, [&](int column) { found |= may_have_field_id(message.node(column)); });
  return found;
}

bool changes_case(const PlanMessage&, const MessageNode& node) {
  const std::string_view name = short_name(node.class_name);
  return name == "Upper" || name == "Lower";
}

/// Says whether a node makes texts of values of a type.
bool prints(const PlanMessage& message, const MessageNode& node, TypeId type) {
  const std::string_view name = short_name(node.class_name);
  if (name != "Cast" && name != "ToPrettyString") return false;
  const Value* child = node.type && node.type->is(TypeId::String) ? find_field(node, "child") : nullptr;
  const auto* reference = child ? child->get_if<NodeReference>() : nullptr;
  if (!reference) return false;
  const MessageNode& value = message.node(reference->index);
  return value.type && value.type->is(type);
}

/// Folders are named by dates too.
bool prints_dates(const PlanMessage& message, const MessageNode& node) {
  if (prints(message, node, TypeId::Date)) return true;
  const Value* partitions =
      short_name(node.class_name) == "WriteFilesExec" ? find_field(node, "partitionColumns") : nullptr;
  const List* columns = partitions ? partitions->get_if<List>() : nullptr;
  return columns && !columns->items.empty();
}

bool shows_binary(const PlanMessage& message, const MessageNode& node) {
  return short_name(node.class_name) == "ToPrettyString" && prints(message, node, TypeId::Binary);
}

/// A setting below spark.sql. that counts for certain nodes, and the one value that the engine honours there.
struct NodeSetting {
  std::string_view name;
  std::string_view honoured;
  bool (*concerns)(const PlanMessage&, const MessageNode&);
};
constexpr NodeSetting kNodeSettings[] = {
    {"binaryOutputStyle", "HEX_DISCRETE", shows_binary},
    {"files.archive.reader.enabled", "false", reads_files},
    {"files.ignoreCorruptFiles", "false", reads_files},
    {"files.ignoreMissingFiles", "false", reads_files},
    {"icu.caseMappings.enabled", "true", changes_case},
    {"legacy.parquet.nanosAsLong", "false", reads_files},
    {"legacy.parquet.returnNullStructIfAllFieldsMissing", "false", reads_files},
    {"legacy.timeParserPolicy", "CORRECTED", prints_dates},
    {"parquet.binaryAsString", "false", reads_files},
    {"parquet.datetimeRebaseModeInRead", "CORRECTED", reads_files},
    {"parquet.fieldId.read.enabled", "false", reads_by_field_ids},
    {"parquet.ignoreVariantAnnotation", "false", reads_files},
    {"parquet.int96AsTimestamp", "true", reads_files},
    {"parquet.int96RebaseModeInRead", "CORRECTED", reads_files},
    {"parquet.int96TimestampConversion", "false", reads_files},
    {"parquet.reader.respectUnknownTypeAnnotation.enabled", "false", reads_files},
};

const NodeSetting* find_setting(std::string_view name) {
  if (!name.starts_with(kPrefix)) return nullptr;
  const auto* found = std::ranges::find(kNodeSettings, name.substr(kPrefix.size()), &NodeSetting::name);
  return found == std::end(kNodeSettings) ? nullptr : found;
}

}  // namespace

bool counts_for_nodes_only(std::string_view name) { return find_setting(name) != nullptr; }

void require_settings(const PlanMessage& message, int node) {
  for (const auto& [name, value] : message.settings) {
    const NodeSetting* setting = find_setting(name);
    if (!setting || equal_setting_values(value, setting->honoured)) continue;
    if (!setting->concerns(message, message.node(node))) continue;
    throw_unsupported("setting " + std::string(name) + ": set it to " + std::string(setting->honoured) +
                      " to run natively");
  }
}

}  // namespace accelerant::plan
