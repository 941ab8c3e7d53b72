#include "planner/open_tables.h"

#include "base/error.h"
#include "operators/island_scan.h"
#include "operators/memory_scan.h"
#include "operators/range.h"
#include "operators/scan.h"
#include "plan/memory_scan.h"
#include "plan/range.h"
#include "plan/scan.h"
#include "planner/splits.h"

#include <string>
#include <vector>

namespace accelerant::planner {

namespace {

void find_sources(const plan::NodePtr& node, std::vector<plan::NodePtr>& sources) {
  if (node->role == plan::Role::Source) sources.push_back(node);
  for (const plan::NodePtr& input : node->inputs) find_sources(input, sources);
}

std::vector<plan::NodePtr> sources_of(const plan::BoundPlan& plan) {
  std::vector<plan::NodePtr> sources;
  for (const plan::NodePtr& root : plan::roots_of(plan)) find_sources(root, sources);
  return sources;
}

/// Finds the rows of a node that only Spark has.
template <class Tables>
auto find_rows(const plan::Node& node, const Tables& tables) {
  const auto found = tables.find(node.plan_node);
  if (found != tables.end()) return found->second;
  throw Error(ErrorKind::User, "the rows of plan node " + std::to_string(node.plan_node) +
                                   " are Spark's alone: the query runs nowhere else");
}

std::shared_ptr<const operators::Table> open_source(const plan::NodePtr& source, const Inputs& inputs) {
  if (const auto range = plan::node_as<plan::Range>(source)) return std::make_shared<operators::RangeTable>(range);
  const auto scan = plan::node_as<plan::MemoryScan>(source);
  if (!scan) throw Error(ErrorKind::Internal, std::string(source->name()) + " is no source");
  if (scan->place == plan::MemoryScan::Place::Island) {
    return std::make_shared<operators::IslandScanTable>(scan, find_rows(*scan, inputs.islands.tables));
  }
  return std::make_shared<operators::MemoryTable>(scan, find_rows(*scan, inputs.external));
}

}  // namespace

Tables open_files(const plan::BoundPlan& plan, std::span<const uint8_t> splits, int threads,
                  const std::shared_ptr<memory::Budget>& budget) {
  Tables tables;
  for (const plan::NodePtr& source : sources_of(plan)) {
    const auto scan = plan::node_as<plan::Scan>(source);
    if (!scan) continue;
    tables[scan->plan_node] = std::make_shared<operators::ScanTable>(
        io::open_files(scan->spec, decode_scan_splits(splits, *scan), threads, budget));
  }
  return tables;
}

Tables open_rows(const plan::BoundPlan& plan, const Inputs& inputs) {
  Tables tables;
  for (const plan::NodePtr& source : sources_of(plan)) {
    if (!source->is<plan::Scan>()) tables[source->plan_node] = open_source(source, inputs);
  }
  return tables;
}

}  // namespace accelerant::planner
