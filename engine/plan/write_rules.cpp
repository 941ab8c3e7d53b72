#include "base/error.h"
#include "io/file_writer.h"
#include "plan/operator_rules.h"
#include "plan/settings.h"
#include "plan/write_files.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

namespace {

constexpr std::string_view kParquet = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat";

/// Settings of the calendar in which old dates and times are written; the engine's is the one of ISO.
constexpr std::string_view kRebaseModes[] = {
    "spark.sql.parquet.datetimeRebaseModeInWrite",
    "spark.sql.parquet.int96RebaseModeInWrite",
};
constexpr std::string_view kNoRebase = "CORRECTED";

void check_format(NodeFields& fields) {
  const Value& format = fields.take("fileFormat");
  const auto* opaque = format.get_if<Opaque>();
  const auto* product = format.get_if<Product>();
  if (!opaque && !product) fields.fail("fileFormat");
  const std::string_view name = opaque ? opaque->class_name : product->class_name;
  if (name != kParquet) throw_unsupported("file format " + std::string(short_name(name)));
}

void check_buckets(NodeFields& fields) {
  const auto* buckets = fields.take("bucketSpec").get_if<List>();
  if (!buckets) fields.fail("bucketSpec");
  if (!buckets->items.empty()) throw_unsupported("bucketBy");
}

void check_options(NodeFields& fields) {
  for (const auto& [name, value] : fields.take_text_map("options")) {
    const std::string reason = io::reason_against_write_setting(name, value);
    if (!reason.empty()) throw_unsupported(reason);
  }
}

void check_settings(const PlanMessage& message) {
  for (const std::string_view name : kRebaseModes) {
    const std::string_view mode = setting_or(message, name, kNoRebase);
    if (mode != kNoRebase) throw_unsupported(std::string(name) + "=" + std::string(mode));
  }
}

/// The columns that name folders, and how Spark has sorted partitions for a write, if at all.
struct Layout {
  std::vector<int> columns;
  size_t num_static = 0;
  std::vector<int> orders;  ///< SortOrder expressions
};

Layout read_layout(const PlanMessage& message, NodeFields& fields, int child) {
  Layout layout;
  layout.columns = fields.take_nodes("partitionColumns");
  layout.num_static = fields.take_text_map("staticPartitions").size();
  if (layout.num_static > layout.columns.size()) fields.fail("staticPartitions");
  if (layout.columns.empty() || short_name(message.node(child).class_name) != "SortExec") return layout;
  NodeFields sort(message, child);
  if (!sort.take_bool("global")) layout.orders = sort.take_nodes("sortOrder");
  return layout;
}

/// Takes the rows to be written. The order in which Spark wants each partition's is that of all rows here; where the
/// columns that name folders are all there is to it, the writers see to it.
Relation take_rows(Binding& binding, const Layout& layout, int child) {
  if (layout.orders.empty()) return binding.input(child);
  Relation input = binding.unfinished_input(child);
  input.distinct.reset();
  if (!input.is_sorted_locally()) input.require_whole();
  input.completeness = Whole();
  if (layout.orders.size() <= layout.columns.size() - layout.num_static) return input;
  return sort(binding.message(), std::move(input), layout.orders, child);
}

/// Finds the columns that name folders among all.
void place_folders(Binding& binding, const Layout& layout, const Relation& input) {
  for (const int index : layout.columns) {
    const int64_t id = read_attribute(binding.message(), index).expr_id;
    const auto found = std::ranges::find(input.attributes, id, &Attribute::expr_id);
    if (found == input.attributes.end()) throw_unsupported("a partition column that is not written");
    if (found->column.type.is_nested() || found->column.type.is(types::TypeId::Null)) {
      throw_unsupported("partitionBy a column of type " + found->column.type.to_string());
    }
    binding.plan().partition_columns.push_back(static_cast<int>(found - input.attributes.begin()));
  }
  binding.plan().num_static_partitions = layout.num_static;
}

void check_columns(const Relation& input, const std::vector<int>& folders) {
  if (input.attributes.size() <= folders.size()) throw_unsupported("files without a column");
  for (size_t i = 0; i < input.attributes.size(); ++i) {
    if (std::ranges::find(folders, static_cast<int>(i)) != folders.end()) continue;
    const Attribute& attribute = input.attributes[i];
    const OutputColumn& column = attribute.column;
    if (!io::is_writable(column.type)) {
      throw_unsupported("writing column " + column.name + " of type " + column.type.to_string());
    }
  }
}

}  // namespace

Relation bind_write_files(Binding& binding, NodeFields& fields) {
  check_format(fields);
  check_buckets(fields);
  check_options(fields);
  const int child = fields.take_node("child");
  const Layout layout = read_layout(binding.message(), fields, child);
  fields.ignore("output");
  fields.finish();
  check_settings(binding.message());
  Relation input = take_rows(binding, layout, child);
  place_folders(binding, layout, input);
  check_columns(input, binding.plan().partition_columns);
  binding.plan().writes_files = true;
  return input;
}

}  // namespace accelerant::plan
