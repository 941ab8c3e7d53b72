#include "base/error.h"
#include "plan/constants.h"
#include "plan/memory_scan.h"
#include "plan/operator_rules.h"

#include <utility>

namespace accelerant::plan {

namespace {

Relation give_rows(Binding& binding, NodeFields& fields, MemoryScan::Place place) {
  fields.take_nodes("output");
  fields.finish();
  Relation relation;
  relation.attributes = read_output(binding.message(), fields.index());
  std::vector<types::Field> columns;
  for (const auto& [id, column, position] : relation.attributes) {
    if (!is_carried(column.type)) {
      throw_unsupported("column " + column.name + " of type " + column.type.to_string());
    }
    columns.push_back({column.name, column.type, column.nullable});
  }
  auto node = std::make_shared<MemoryScan>();
  node->plan_node = fields.index();
  node->place = place;
  node->output = columns_of(relation.attributes);
  node->row_type = types::DataType::structure(std::move(columns));
  relation.node = std::move(node);
  return relation;
}

}  // namespace

Relation MemoryScan::bind_local_table(Binding& binding, NodeFields& fields) {
  fields.require_unset("stream");
  return give_rows(binding, fields, Place::Query);
}

Relation MemoryScan::bind_cached_relation(Binding& binding, NodeFields& fields) {
  const std::string_view serializer = fields.take_text("serializer");
  if (short_name(serializer) != "DefaultCachedBatchSerializer") {
    throw_unsupported("a relation cached by " + std::string(serializer));
  }
  return give_rows(binding, fields, Place::Cache);
}

Relation MemoryScan::bind_island(Binding& binding, NodeFields& fields) {
  return give_rows(binding, fields, Place::Island);
}

}  // namespace accelerant::plan
