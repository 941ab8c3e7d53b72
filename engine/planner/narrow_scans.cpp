#include "planner/narrow_scans.h"

#include "expressions/moved_program.h"
#include "plan/scan.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::ColumnMask;
using plan::ColumnPositions;
using plan::NodePtr;

namespace {

/// A node, and where in its output the columns of the node are whose place it takes.
struct Narrowed {
  NodePtr node;
  ColumnPositions places;
};

bool is_full(const ColumnMask& mask) {
  return std::ranges::all_of(mask, [](bool is_wanted) { return is_wanted; });
}

/// Says which columns a scan's filters read.
ColumnMask filtered_by(const plan::Scan& scan) {
  ColumnMask read(scan.spec->columns.size(), false);
  for (const auto& filter : scan.spec->filters) plan::add_inputs(read, filter.get());
  return read;
}

Narrowed narrow_scan(const plan::Scan& scan, const ColumnMask& wanted) {
  const ColumnMask filtered = filtered_by(scan);
  auto spec = std::make_shared<io::ScanSpec>(*scan.spec);
  auto node = std::make_shared<plan::Scan>(scan);
  spec->columns.clear();
  node->output.clear();
  ColumnPositions read_at(wanted.size());
  for (const bool is_emitted : {true, false}) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] != is_emitted || !(wanted[i] || filtered[i])) continue;
      read_at[i] = static_cast<int>(spec->columns.size());
      spec->columns.push_back(scan.spec->columns[i]);
      spec->columns.back().filter_only = !is_emitted;
      if (is_emitted) node->output.push_back(scan.output[i]);
    }
  }
  for (plan::ProgramPtr& filter : spec->filters) filter = expressions::moved(filter, read_at);
  node->spec = std::move(spec);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) read_at[i].reset();
  }
  return {std::move(node), std::move(read_at)};
}

/// Says what is read of a node's inputs. A union's have the same columns, whatever is read of them.
std::vector<ColumnMask> columns_read(const plan::Node& node, const ColumnMask& wanted) {
  if (node.role != plan::Role::Concatenation) return node.columns_read(wanted);
  return {node.inputs.size(), ColumnMask(node.output.size(), true)};
}

Narrowed narrow(const NodePtr& node, const ColumnMask& wanted) {
  if (node->is<plan::Scan>() && !is_full(wanted)) return narrow_scan(node->as<plan::Scan>(), wanted);
  const std::vector<ColumnMask> read = columns_read(*node, wanted);
  std::vector<NodePtr> inputs;
  std::vector<ColumnPositions> places;
  for (size_t i = 0; i < node->inputs.size(); ++i) {
    Narrowed input = narrow(node->inputs[i], read[i]);
    inputs.push_back(std::move(input.node));
    places.push_back(std::move(input.places));
  }
  if (inputs == node->inputs) return {node, plan::in_place(node->output.size())};
  const std::shared_ptr<plan::Node> changed = node->clone();
  ColumnPositions own = changed->put_above(std::move(inputs), places);
  return {changed, std::move(own)};
}

}  // namespace

NodePtr narrow_scans(const NodePtr& root) { return narrow(root, ColumnMask(root->output.size(), true)).node; }

}  // namespace accelerant::planner
