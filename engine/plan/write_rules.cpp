#include "base/error.h"
#include "io/file_format.h"
#include "io/file_writer.h"
#include "plan/expression_binder.h"
#include "plan/local_sort.h"
#include "plan/operator_rules.h"
#include "plan/project.h"
#include "plan/settings.h"
#include "plan/write_files.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

using types::DataType;

namespace {

/// Settings of the calendar in which old dates and times are written; the engine's is the one of ISO.
constexpr std::string_view kRebaseModes[] = {
    "spark.sql.parquet.datetimeRebaseModeInWrite",
    "spark.sql.parquet.int96RebaseModeInWrite",
};
constexpr std::string_view kNoRebase = "CORRECTED";
/// Lists of two levels.
constexpr std::string_view kLegacyFormat = "spark.sql.parquet.writeLegacyFormat";

void check_format(NodeFields& fields) {
  const Value& format = fields.take("fileFormat");
  const auto* opaque = format.get_if<Opaque>();
  const auto* product = format.get_if<Product>();
  if (!opaque && !product) fields.fail("fileFormat");
  const std::string_view name = opaque ? opaque->class_name : product->class_name;
  if (io::file_format_of(name) != io::FileFormat::Parquet)
    throw_unsupported("file format " + std::string(short_name(name)));
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

/// What Spark says of where rows go: expressions of the message.
struct Wanted {
  std::vector<int> partition_columns;
  size_t num_static_partitions = 0;
  std::optional<int> bucket_id;
  std::vector<int> bucket_sort;
  std::vector<int> orders;  ///< SortOrder expressions by which Spark has sorted partitions for the write, if at all

  /// Returns how many orders put rows of a folder and bucket together, and in their order.
  size_t num_orders() const {
    return partition_columns.size() - num_static_partitions + (bucket_id ? 1 : 0) + bucket_sort.size();
  }
};

Wanted read_layout(const PlanMessage& message, NodeFields& fields, int child) {
  Wanted wanted;
  wanted.partition_columns = fields.take_nodes("partitionColumns");
  wanted.num_static_partitions = fields.take_text_map("staticPartitions").size();
  if (wanted.num_static_partitions > wanted.partition_columns.size()) fields.fail("staticPartitions");
  const std::vector<int> bucket_id = fields.take_nodes("bucketId");
  if (bucket_id.size() > 1) fields.fail("bucketId");
  if (!bucket_id.empty()) wanted.bucket_id = bucket_id.front();
  wanted.bucket_sort = fields.take_nodes("bucketSort");
  const bool is_arranged = !wanted.partition_columns.empty() || wanted.bucket_id;
  if (!is_arranged || short_name(message.node(child).class_name) != "SortExec") return wanted;
  NodeFields sort(message, child);
  if (!sort.take_bool("global")) wanted.orders = sort.take_nodes("sortOrder");
  return wanted;
}

/// Takes the rows to be written. The order in which Spark wants each partition's is that of all rows here; where it is
/// for folders and buckets alone, the writers see to it.
Relation take_rows(Binding& binding, const Wanted& wanted, int child) {
  Relation input = binding.input(child);
  const auto local = node_as<LocalSort>(input.node);
  if (wanted.orders.empty() || !local) return input;
  input.node = local->inputs.front();
  if (wanted.orders.size() <= wanted.num_orders()) return input;
  return sort(binding.message(), std::move(input), wanted.orders, child);
}

/// Finds a column among those of the rows.
int place_of(const PlanMessage& message, const Relation& input, int expression) {
  const int64_t id = read_attribute(message, expression).expr_id;
  const auto found = std::ranges::find(input.attributes, id, &Attribute::expr_id);
  if (found == input.attributes.end()) throw_unsupported("a column for folders or buckets that is not written");
  return static_cast<int>(found - input.attributes.begin());
}

/// Computes the number of each row's bucket, as Spark's writer does, in a column behind the others.
int compute_bucket(const PlanMessage& message, Relation& input, int expression, int plan_node) {
  ExpressionBinder binder(message, input.attributes);
  std::vector<expressions::Slot> slots;
  for (const Attribute& attribute : input.attributes) {
    slots.push_back(binder.builder().input(attribute.position, attribute.column.type, attribute.column.nullable));
  }
  const expressions::Slot bucket = binder.bind(expression);
  binder.throw_if_failed();
  slots.push_back(bucket);
  auto node = std::make_shared<Project>();
  node->plan_node = plan_node;
  node->output = columns_of(input.attributes);
  node->output.push_back({"bucket", binder.builder().type(bucket), binder.builder().nullable(bucket)});
  node->program = binder.finish(slots);
  node->inputs = {input.node};
  const int position = static_cast<int>(input.attributes.size());
  input.attributes.push_back({-1, node->output.back(), position});
  input.node = std::move(node);
  return position;
}

FileLayout place(Binding& binding, const Wanted& wanted, Relation& input, int child) {
  const PlanMessage& message = binding.message();
  FileLayout layout;
  for (const int index : wanted.partition_columns) {
    layout.partition_columns.push_back(place_of(message, input, index));
    const DataType& type = input.attributes[static_cast<size_t>(layout.partition_columns.back())].column.type;
    if (type.is_nested() || type.is(types::TypeId::Null)) {
      throw_unsupported("partitionBy a column of type " + type.to_string());
    }
  }
  layout.num_static_partitions = wanted.num_static_partitions;
  for (const int index : wanted.bucket_sort) {
    layout.sort_columns.push_back(place_of(message, input, index));
    const DataType& type = input.attributes[static_cast<size_t>(layout.sort_columns.back())].column.type;
    if (type.is_nested() || type.is(types::TypeId::Null))
      throw_unsupported("sortBy a column of type " + type.to_string());
  }
  if (wanted.bucket_id) layout.bucket_column = compute_bucket(message, input, *wanted.bucket_id, child);
  return layout;
}

void check_columns(const PlanMessage& message, const Relation& input, const std::vector<int>& unwritten) {
  if (input.attributes.size() <= unwritten.size()) throw_unsupported("files without a column");
  for (size_t i = 0; i < input.attributes.size(); ++i) {
    if (std::ranges::find(unwritten, static_cast<int>(i)) != unwritten.end()) continue;
    const Attribute& attribute = input.attributes[i];
    const OutputColumn& column = attribute.column;
    if (!io::is_writable(column.type)) {
      throw_unsupported("writing column " + column.name + " of type " + column.type.to_string());
    }
    if (column.type.is_nested() && is_set(message, kLegacyFormat)) {
      throw_unsupported("nested columns with " + std::string(kLegacyFormat) + "=true");
    }
  }
}

}  // namespace

Relation WriteFiles::bind(Binding& binding, NodeFields& fields) {
  check_format(fields);
  check_options(fields);
  const int child = fields.take_node("child");
  const Wanted wanted = read_layout(binding.message(), fields, child);
  for (const char* name : {"output", "bucketSpec"}) fields.ignore(name);
  fields.finish();
  check_settings(binding.message());
  Relation input = take_rows(binding, wanted, child);
  binding.plan().files = place(binding, wanted, input, child);
  check_columns(binding.message(), input, binding.plan().files.unwritten());
  binding.plan().writes_files = true;
  stand_above(input, std::make_shared<WriteFiles>(), fields.index());
  return input;
}

}  // namespace accelerant::plan
