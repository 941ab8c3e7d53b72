#include "base/error.h"
#include "io/file_writer.h"
#include "plan/settings.h"
#include "plan/write_files.h"

#include <string>
#include <string_view>

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

void check_layout(NodeFields& fields) {
  const auto* partitions = fields.take("partitionColumns").get_if<List>();
  if (!partitions) fields.fail("partitionColumns");
  if (!partitions->items.empty()) throw_unsupported("partitionBy");
  const auto* buckets = fields.take("bucketSpec").get_if<List>();
  if (!buckets) fields.fail("bucketSpec");
  if (!buckets->items.empty()) throw_unsupported("bucketBy");
  fields.ignore("staticPartitions");  // of partition columns
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

void check_columns(const Relation& input) {
  if (input.attributes.empty()) throw_unsupported("files without a column");
  for (const Attribute& attribute : input.attributes) {
    const OutputColumn& column = attribute.column;
    if (!io::is_writable(column.type)) {
      throw_unsupported("writing column " + column.name + " of type " + column.type.to_string());
    }
  }
}

}  // namespace

Relation bind_write_files(Binding& binding, NodeFields& fields) {
  check_format(fields);
  check_layout(fields);
  check_options(fields);
  const int child = fields.take_node("child");
  fields.ignore("output");
  fields.finish();
  check_settings(binding.message());
  Relation input = binding.input(child);
  check_columns(input);
  binding.plan().writes_files = true;
  return input;
}

}  // namespace accelerant::plan
