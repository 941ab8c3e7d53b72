#include "base/error.h"
#include "plan/operator_rules.h"
#include "plan/range.h"

#include <utility>

namespace accelerant::plan {

namespace {

/// Returns how many numbers lie in [start, end), or in (end, start] when counting down.
/// @throws Error Unsupported where 64 bits do not hold what is between: Spark's answer there depends on its partitions
int64_t count_range_rows(int64_t start, int64_t end, int64_t step) {
  const __int128 distance = static_cast<__int128>(end) - start;
  if (distance == 0 || (distance > 0) != (step > 0)) return 0;
  const __int128 toward = step > 0 ? 1 : -1;
  const __int128 rows = (distance + step - toward) / step;
  if (rows * step > INT64_MAX || rows * step < -INT64_MAX) throw_unsupported("a range across more than 64 bits hold");
  return static_cast<int64_t>(rows);
}

Relation give_range(const NodeFields& fields, std::vector<Attribute> attributes, std::shared_ptr<Range> node) {
  node->plan_node = fields.index();
  node->output = columns_of(attributes);
  Relation relation;
  relation.attributes = std::move(attributes);
  relation.node = std::move(node);
  return relation;
}

Relation give_one_row(const NodeFields& fields) {
  auto node = std::make_shared<Range>();
  node->num_rows = 1;
  return give_range(fields, {}, std::move(node));
}

}  // namespace

std::string Range::describe() const {
  return "start=" + std::to_string(start) + " step=" + std::to_string(step) + " rows=" + std::to_string(num_rows);
}

Relation Range::bind(Binding& binding, NodeFields& fields) {
  auto node = std::make_shared<Range>();
  node->start = fields.take_integer("start");
  node->step = fields.take_integer("step");
  if (node->step == 0) fields.fail("step");
  node->num_rows = count_range_rows(node->start, fields.take_integer("end"), node->step);
  node->num_slices = fields.take_integer("numSlices");
  if (node->num_slices < 1) fields.fail("numSlices");
  std::vector<Attribute> attributes = read_output(binding.message(), fields.index());
  if (attributes.size() != 1 || !attributes.front().column.type.is(types::TypeId::Long)) fields.fail("output");
  fields.ignore("output");
  fields.finish();
  return give_range(fields, std::move(attributes), std::move(node));
}

Relation Range::bind_one_row(Binding&, NodeFields& fields) {
  if (!fields.take_nodes("output").empty()) fields.fail("output");
  fields.finish();
  return give_one_row(fields);
}

Relation Range::bind_rdd_scan(Binding&, NodeFields& fields) {
  if (fields.take_text("name") != "OneRowRelation") throw_unsupported("rows of an RDD");
  if (!fields.take_nodes("output").empty()) fields.fail("output");
  for (const char* name : {"rdd", "outputPartitioning", "outputOrdering"}) fields.ignore(name);
  fields.require_unset("stream");
  fields.finish();
  return give_one_row(fields);
}

}  // namespace accelerant::plan
