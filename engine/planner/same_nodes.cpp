#include "planner/same_nodes.h"

#include "expressions/same_program.h"
#include "expressions/selectivity.h"

#include <algorithm>
#include <optional>

namespace accelerant::planner {

using plan::Node;
using plan::NodePtr;

namespace {

/// Says whether they make the same of the same bytes of a file; of a format's own options its files tell.
bool read_alike(const io::ScanSpec& a, const io::ScanSpec& b) {
  return a.format == b.format && a.zone == b.zone && a.case_sensitive == b.case_sensitive &&
         a.may_have_old_dates == b.may_have_old_dates && a.may_have_old_timestamps == b.may_have_old_timestamps &&
         a.keeps_structs_without_members == b.keeps_structs_without_members;
}

/// What is said to be nullable depends on conditions that may have nothing to drop.
bool have_same_columns(const Node& a, const Node& b) {
  return std::ranges::equal(a.output, b.output, {}, &plan::OutputColumn::type, &plan::OutputColumn::type);
}

}  // namespace

bool NodeComparison::are_equal(const Node& a, const Node& b) const {
  return have_same_columns(a, b) && a.does_same(b, *this) && have_equal_inputs(a, b);
}

bool NodeComparison::have_same_groups(const plan::Aggregate& a, const plan::Aggregate& b) const {
  return a.has_same_groups(b) && have_equal_inputs(a, b);
}

bool NodeComparison::have_equal_inputs(const Node& a, const Node& b) const {
  return std::ranges::equal(a.inputs, b.inputs,
                            [&](const NodePtr& left, const NodePtr& right) { return are_equal(*left, *right); });
}

bool NodeComparison::give_same_rows(const Node& a, const Node& b) const {
  const auto left = tables_.find(a.plan_node);
  const auto right = tables_.find(b.plan_node);
  if (left == tables_.end() || right == tables_.end() || !left->second->gives_same_rows(*right->second)) return false;
  if (!a.is<plan::Scan>()) return false;
  const io::ScanSpec& one = *a.as<plan::Scan>().spec;
  const io::ScanSpec& other = *b.as<plan::Scan>().spec;
  return read_alike(one, other) && one.columns == other.columns &&
         std::ranges::equal(dropping_filters(one, *left->second), dropping_filters(other, *right->second),
                            expressions::compute_same);
}

std::vector<plan::ProgramPtr> NodeComparison::dropping_filters(const io::ScanSpec& spec,
                                                               const operators::Table& table) {
  std::vector<plan::ProgramPtr> filters = spec.filters;
  std::erase_if(filters, [&](const plan::ProgramPtr& filter) {
    const std::optional<int> column = expressions::column_asked_for_value(*filter);
    const bool is_in_files = column && spec.columns[static_cast<size_t>(*column)].partition_index < 0;
    return is_in_files && table.summarize(*column).num_nulls == 0;
  });
  return filters;
}

}  // namespace accelerant::planner
