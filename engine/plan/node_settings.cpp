#include "plan/node_settings.h"

#include "base/error.h"
#include "expressions/registry.h"
#include "io/read_settings.h"
#include "plan/plan_message.h"
#include "plan/settings.h"

#include <algorithm>
#include <optional>
#include <string>

namespace accelerant::plan {

namespace {

constexpr std::string_view kPrefix = "spark.sql.";

const FieldValue* find_field(const MessageNode& node, std::string_view name) {
  const auto found = std::ranges::find(node.fields, name, &NamedValue::name);
  return found == node.fields.end() ? nullptr : &found->value;
}

bool reads_files(const PlanMessage&, const MessageNode& node) {
  return node.is_plan && short_name(node.class_name) == "FileSourceScanExec";
}

/// Says whether a column, or what may be in it, says by which field id it is found.
bool may_have_field_id(const MessageNode& column) {
  const FieldValue* metadata = find_field(column, "metadata");
  const Text* json = metadata ? metadata->get_if<Text>() : nullptr;
  return (column.type && column.type->is_nested()) || (json && json->text.find("parquet.field.id") != json->text.npos);
}

/// Spark looks for ids of fields only where the schema that it reads with has some.
bool reads_by_field_ids(const PlanMessage& message, const MessageNode& scan) {
  const FieldValue* output = find_field(scan, "output");
  bool found = false;
  if (output) for_each_node(*output, [&](int column) { found |= may_have_field_id(message.node(column)); });
  return found;
}

/// Folders are named by dates too.
bool names_folders(const PlanMessage&, const MessageNode& node) {
  const FieldValue* partitions =
      short_name(node.class_name) == "WriteFilesExec" ? find_field(node, "partitionColumns") : nullptr;
  const List* columns = partitions ? partitions->get_if<List>() : nullptr;
  return columns && !columns->items.empty();
}

/// A setting below spark.sql. that counts for certain nodes, and the one value that the engine honours there.
struct NodeSetting {
  std::string_view name;
  std::string_view honoured;
  bool (*concerns)(const PlanMessage&, const MessageNode&);
};
constexpr NodeSetting kNodeSettings[] = {
    {"files.archive.reader.enabled", "false", reads_files},
    {"files.ignoreCorruptFiles", "false", reads_files},
    {"files.ignoreMissingFiles", "false", reads_files},
    {"legacy.timeParserPolicy", "CORRECTED", names_folders},
};

/// Returns the format of the files that a node reads; nothing where it reads none of the engine's.
std::optional<io::FileFormat> format_read(const PlanMessage& message, const MessageNode& node) {
  const FieldValue* format = reads_files(message, node) ? find_field(node, "format") : nullptr;
  const Text* spark_class = format ? format->get_if<Text>() : nullptr;
  return spark_class ? io::file_format_of(spark_class->text) : std::nullopt;
}

/// Returns the one value that the engine honours of a setting below spark.sql. where it concerns a node; nothing where
/// it does not.
std::optional<std::string_view> honoured_value(const PlanMessage& message, const MessageNode& node,
                                               std::string_view name) {
  const auto* found = std::ranges::find(kNodeSettings, name, &NodeSetting::name);
  if (found != std::end(kNodeSettings))
    return found->concerns(message, node) ? std::optional(found->honoured) : std::nullopt;
  const std::optional<io::FileFormat> format = format_read(message, node);
  if (!format) return std::nullopt;
  const auto settings = io::read_settings(*format);
  const auto setting = std::ranges::find(settings, name, &io::FormatSetting::name);
  if (setting == settings.end()) return std::nullopt;
  const bool is_met = setting->concern != io::SettingConcern::FieldIds || reads_by_field_ids(message, node);
  return is_met ? std::optional(setting->value) : std::nullopt;
}

/// Fails unless a setting has the value that the engine honours.
void require_value(std::string_view name, std::string_view value, std::string_view honoured) {
  if (equal_setting_values(value, honoured)) return;
  throw_unsupported("setting " + std::string(name) + ": set it to " + std::string(honoured) + " to run natively");
}

}  // namespace

bool counts_for_nodes_only(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  if (expressions::is_setting_of_functions(name)) return true;
  const std::string_view rest = name.substr(kPrefix.size());
  return std::ranges::find(kNodeSettings, rest, &NodeSetting::name) != std::end(kNodeSettings) ||
         io::is_read_setting(rest);
}

void require_settings(const PlanMessage& message, int node) {
  for (const auto& [name, value] : message.settings) {
    if (!counts_for_nodes_only(name)) continue;
    const auto honoured = honoured_value(message, message.node(node), name.substr(kPrefix.size()));
    if (honoured) require_value(name, value, *honoured);
  }
}

void require_setting(const PlanMessage& message, const functions::Setting& setting) {
  require_value(setting.name, setting_or(message, setting.name, setting.value), setting.value);
}

}  // namespace accelerant::plan
