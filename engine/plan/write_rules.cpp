#include "base/error.h"
#include "io/write_format.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
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

const io::WriteFormat& take_write_format(NodeFields& fields) {
  const FieldValue& format = fields.take("fileFormat");
  const auto* opaque = format.get_if<Opaque>();
  const auto* product = format.get_if<Product>();
  if (!opaque && !product) fields.fail("fileFormat");
  const std::string_view name = opaque ? opaque->class_name : product->class_name;
  const io::WriteFormat* known = io::find_write_format(name);
  if (!known) throw_unsupported("file format " + std::string(short_name(name)));
  return *known;
}

void check_options(const io::WriteFormat& format, NodeFields& fields) {
  for (const auto& [name, value] : fields.take_text_map("options")) {
    const std::string reason = format.reason_against_option(name, value);
    if (!reason.empty()) throw_unsupported(reason);
  }
}

/// Returns the first setting of a format's, with its value, that is not as the engine honours it; empty: there is none.
std::string setting_against(const PlanMessage& message, const io::WriteFormat& format, io::SettingConcern concern) {
  for (const io::FormatSetting& setting : format.settings()) {
    const std::string name = "spark.sql." + std::string(setting.name);
    const std::string_view value = setting_or(message, name, setting.value);
    if (setting.concern == concern && !equal_setting_values(value, setting.value))
      return name + "=" + std::string(value);
  }
  return "";
}

void check_settings(const PlanMessage& message, const io::WriteFormat& format) {
  const std::string setting = setting_against(message, format, io::SettingConcern::AnyFile);
  if (!setting.empty()) throw_unsupported(setting);
}

/// What Spark says of where rows go: expressions of the message.
struct Wanted {
  std::vector<int> partition_columns;
  size_t num_static_partitions = 0;
  std::optional<int> bucket_id;
  std::vector<int> bucket_sort;
};

Wanted read_layout(NodeFields& fields) {
  Wanted wanted;
  wanted.partition_columns = fields.take_nodes("partitionColumns");
  wanted.num_static_partitions = fields.take_text_map("staticPartitions").size();
  if (wanted.num_static_partitions > wanted.partition_columns.size()) fields.fail("staticPartitions");
  const std::vector<int> bucket_id = fields.take_nodes("bucketId");
  if (bucket_id.size() > 1) fields.fail("bucketId");
  if (!bucket_id.empty()) wanted.bucket_id = bucket_id.front();
  wanted.bucket_sort = fields.take_nodes("bucketSort");
  return wanted;
}

/// Finds a column among those of the rows.
int place_of(const PlanMessage& message, const Relation& input, int expression) {
  const int64_t id = read_attribute(message, expression).expr_id;
  const auto found = std::ranges::find(input.attributes, id, &Attribute::expr_id);
  if (found == input.attributes.end()) throw_unsupported("a column for folders or buckets that is not written");
  return static_cast<int>(found - input.attributes.begin());
}

/// Finds the columns that folders are named by, or that rows are sorted by.
/// @param use of the columns, in Spark's words
std::vector<int> places_of(const PlanMessage& message, const Relation& input, const std::vector<int>& expressions,
                           std::string_view use) {
  std::vector<int> places;
  for (const int expression : expressions) {
    places.push_back(place_of(message, input, expression));
    const DataType& type = input.attributes[static_cast<size_t>(places.back())].column.type;
    if (type.is_nested() || type.is(types::TypeId::Null)) {
      throw_unsupported(std::string(use) + " a column of type " + type.to_string());
    }
  }
  return places;
}

FileLayout lay_out(const PlanMessage& message, const Wanted& wanted, const Relation& input) {
  FileLayout layout;
  layout.partition_columns = places_of(message, input, wanted.partition_columns, "partitionBy");
  layout.num_static_partitions = wanted.num_static_partitions;
  layout.sort_columns = places_of(message, input, wanted.bucket_sort, "sortBy");
  return layout;
}

/// Binds the expression by which Spark's writer computes the number of a row's bucket.
ProgramPtr bind_bucket(const PlanMessage& message, const Relation& input, int expression) {
  ExpressionBinder binder(message, input.attributes);
  const expressions::Slot bucket = binder.bind(expression);
  return binder.finish({&bucket, 1});
}

void check_columns(const PlanMessage& message, const io::WriteFormat& format, const Relation& input,
                   const std::vector<int>& unwritten) {
  if (input.attributes.size() <= unwritten.size()) throw_unsupported("files without a column");
  const std::string of_nested = setting_against(message, format, io::SettingConcern::NestedColumns);
  for (size_t i = 0; i < input.attributes.size(); ++i) {
    if (std::ranges::find(unwritten, static_cast<int>(i)) != unwritten.end()) continue;
    const OutputColumn& column = input.attributes[i].column;
    if (!format.can_write(column.type)) {
      throw_unsupported("writing column " + column.name + " of type " + column.type.to_string());
    }
    if (column.type.is_nested() && !of_nested.empty()) throw_unsupported("nested columns with " + of_nested);
  }
}

}  // namespace

Relation WriteFiles::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const io::WriteFormat& format = take_write_format(fields);
  check_options(format, fields);
  const int child = fields.take_node("child");
  const Wanted wanted = read_layout(fields);
  for (const char* name : {"output", "bucketSpec"}) fields.ignore(name);
  fields.finish();
  check_settings(message, format);
  Relation input = binding.input(child);
  auto node = std::make_shared<WriteFiles>();
  node->format = &format;
  node->files = lay_out(message, wanted, input);
  if (wanted.bucket_id) node->bucket_id = bind_bucket(message, input, *wanted.bucket_id);
  check_columns(message, format, input, node->files.unwritten());
  stand_above(input, std::move(node), fields.index());
  return input;
}

}  // namespace accelerant::plan
