#include "base/error.h"
#include "io/read_options.h"
#include "plan/constants.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/scan.h"
#include "plan/settings.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace accelerant::plan {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Takes the options of the read, which are the format's own business.
void take_options(const PlanMessage& message, NodeFields& fields, const std::vector<types::Field>& data_schema,
                  io::ScanSpec& spec) {
  const auto setting = [&message](std::string_view name, std::string_view otherwise) {
    return name == io::kSparkVersion ? message.spark_version : std::string(setting_or(message, name, otherwise));
  };
  io::ReadOptions options(fields.take_text_map("options"), setting, data_schema);
  io::take_read_options(options, spec);
}

io::FileFormat take_read_format(NodeFields& fields) {
  const std::string_view spark_class = fields.take_text("format");
  const std::optional<io::FileFormat> format = io::file_format_of(spark_class);
  if (!format) throw_unsupported("file format " + std::string(short_name(spark_class)));
  if (fields.take_bool("bucketed")) throw_unsupported("a bucketed table, of which adaptive execution is to say how");
  return *format;
}

/// Spark's name of the column that says which row of its file each is.
constexpr std::string_view kRowIndex = "_tmp_metadata_row_index";

/// Says whether a scan gives row indexes; fails for other metadata that is not the same in all rows.
bool take_row_index(NodeFields& fields) {
  const auto* metadata = fields.take("metadataColumns").get_if<List>();
  if (!metadata) fields.fail("metadataColumns");
  const auto is_row_index = [](const FieldValue& name) {
    return name.get_if<Text>() && name.get_if<Text>()->text == kRowIndex;
  };
  if (!std::ranges::all_of(metadata->items, is_row_index)) throw_unsupported("file metadata columns");
  return !metadata->items.empty();
}

const std::vector<types::Field>& take_schema(NodeFields& fields, std::string_view name) {
  const types::DataType& type = fields.take_type(name);
  if (!type.is(types::TypeId::Struct)) fields.fail(name);
  return type.fields();
}

int find_column(const std::vector<types::Field>& schema, const OutputColumn& column, bool case_sensitive) {
  for (size_t i = 0; i < schema.size(); ++i) {
    const bool same = case_sensitive ? schema[i].name == column.name : lower(schema[i].name) == lower(column.name);
    if (same && schema[i].type == column.type) return static_cast<int>(i);
  }
  return -1;
}

/// Returns which of the values of a file a column is; -1: none. Metadata may be called as a partition column is, and
/// comes after those.
int find_value(const std::vector<types::Field>& partitions, const OutputColumn& column, size_t place,
               bool case_sensitive) {
  const bool has_it = place < partitions.size() && find_column({partitions[place]}, column, case_sensitive) == 0;
  return has_it ? static_cast<int>(place) : find_column(partitions, column, case_sensitive);
}

/// The first columns of the output are those of the required schema; the others are partition columns and constant
/// metadata.
io::ScanColumn scan_column(const OutputColumn& column, size_t index, const std::vector<types::Field>& required,
                           const std::vector<types::Field>& partitions, bool case_sensitive) {
  if (!is_carried(column.type)) throw_unsupported("column " + column.name + " of type " + column.type.to_string());
  io::ScanColumn result;
  result.name = column.name;
  result.type = column.type;
  result.nullable = column.nullable;
  if (index < required.size()) {
    if (find_column({required[index]}, column, case_sensitive) == 0) {
      result.name = required[index].name;
      return result;
    }
  } else {
    result.partition_index = find_value(partitions, column, index - required.size(), case_sensitive);
    if (result.partition_index >= 0) return result;
  }
  throw_unsupported("column " + column.name + " is neither in the files nor in their paths");
}

bool has_subquery(const PlanMessage& message, int expression) {
  std::vector<int> pending{expression};
  while (!pending.empty()) {
    const MessageNode& node = message.node(pending.back());
    pending.pop_back();
    if (short_name(node.class_name) == "ScalarSubquery") return true;
    for (const NamedValue& field : node.fields) {
      for_each_node(field.value, [&](int child) { pending.push_back(child); });
    }
  }
  return false;
}

/// Returns the partition filters that only the running query can apply. What joins will say of partitions they say
/// themselves.
std::vector<int> filters_by_subqueries(const PlanMessage& message, const FieldValue& filters) {
  std::vector<int> found;
  for_each_node(filters, [&](int filter) {
    if (short_name(message.node(filter).class_name) == "DynamicPruningExpression") return;
    if (has_subquery(message, filter)) found.push_back(filter);
  });
  return found;
}

/// Binds conditions to programs of their own.
std::vector<ProgramPtr> bind_conditions(const PlanMessage& message, const std::vector<int>& conditions,
                                        const std::vector<Attribute>& scope) {
  ExpressionBinder all(message, scope);
  check_conjuncts(all, all.bind_all(conditions));
  std::vector<ProgramPtr> programs;
  for (const int condition : conditions) {
    ExpressionBinder binder(message, scope);
    const expressions::Slot slot = binder.bind(condition);
    programs.push_back(binder.finish({&slot, 1}));
  }
  return programs;
}

/// Says where the files, and Spark's reader of them, have a column.
void place_in_schemas(io::ScanColumn& column, size_t required_index, const std::vector<types::Field>& data_schema) {
  column.required_index = static_cast<int>(required_index);
  const auto found = std::ranges::find(data_schema, column.name, &types::Field::name);
  if (found != data_schema.end()) column.data_index = static_cast<int>(found - data_schema.begin());
}

/// Returns the time zone that an expression names.
std::shared_ptr<const types::ZoneRules> zone_of(const PlanMessage& message, int expression) {
  const FieldValue* field = NodeFields(message, expression).take_if("timeZoneId");
  const auto* list = field ? field->get_if<List>() : nullptr;
  const Text* id = list && !list->items.empty() ? list->items.front().get_if<Text>() : nullptr;
  return id ? message.find_zone(id->text) : nullptr;
}

/// Binds Spark's own parser of lines, if the scan has one: the call's one argument is a line.
ProgramPtr bind_line_parser(const PlanMessage& message, NodeFields& fields, io::ScanSpec& spec) {
  const FieldValue* field = fields.take_if("lineParser");
  std::optional<int> call;
  if (field) for_each_node(*field, [&](int node) { call = node; });
  if (!call) return nullptr;
  spec.zone = zone_of(message, *call);
  Attribute line = read_attribute(message, NodeFields(message, *call).take_node("child"));
  line.position = 0;
  const std::vector<Attribute> scope{line};
  ExpressionBinder binder(message, scope);
  const expressions::Slot row = binder.bind(*call);
  return binder.finish({&row, 1});
}

/// Makes the node, which emits all columns.
std::shared_ptr<Scan> make_scan(int plan_node, std::shared_ptr<io::ScanSpec> spec,
                                const std::vector<types::Field>& partitions) {
  auto node = std::make_shared<Scan>();
  node->plan_node = spec->plan_node = spec->filter_plan_node = plan_node;
  for (const io::ScanColumn& column : spec->columns)
    node->output.push_back({column.name, column.type, column.nullable});
  for (const types::Field& partition : partitions) node->partition_types.push_back(partition.type);
  node->spec = std::move(spec);
  return node;
}

}  // namespace

Relation Scan::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  auto spec = std::make_shared<io::ScanSpec>();
  spec->format = take_read_format(fields);
  spec->case_sensitive = binding.case_sensitive();
  spec->keeps_structs_without_members = !message.spark_version.starts_with("4.0.");
  const bool has_row_index = take_row_index(fields);
  const auto& required = take_schema(fields, "requiredSchema");
  const auto& data_schema = take_schema(fields, "dataSchema");
  take_options(message, fields, data_schema, *spec);
  const auto& partitions = take_schema(fields, "partitionSchema");
  const std::vector<int> output = fields.take_nodes("output");
  // Spark applies the partition filters when it lists files, and the data filters again in a node above.
  fields.take("dataFilters");
  const FieldValue& partition_filters = fields.take("partitionFilters");
  spec->zone = message.find_zone(setting_or(message, "spark.sql.session.timeZone", ""));
  spec->line_parser = bind_line_parser(message, fields, *spec);
  fields.finish();
  if (output.size() < required.size()) fields.fail("output");
  Relation relation;
  for (size_t i = 0; i < output.size(); ++i) {
    const bool is_row_index = has_row_index && i < required.size() && required[i].name == kRowIndex;
    Attribute attribute = read_attribute(message, output[i], i < required.size() && !is_row_index);
    spec->columns.push_back(scan_column(attribute.column, i, required, partitions, binding.case_sensitive()));
    if (i < required.size()) place_in_schemas(spec->columns.back(), i, data_schema);
    spec->columns.back().is_row_index = is_row_index;
    if (is_row_index && !attribute.column.type.is(types::TypeId::Long)) fields.fail("metadataColumns");
    attribute.position = static_cast<int>(i);
    relation.attributes.push_back(std::move(attribute));
  }
  spec->filters = bind_conditions(message, filters_by_subqueries(message, partition_filters), relation.attributes);
  relation.node = make_scan(fields.index(), std::move(spec), partitions);
  return relation;
}

}  // namespace accelerant::plan
