#include "planner/partition_requests.h"

#include "plan/scan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::planner {

namespace {

using expressions::Program;

/// Columns on their way through transforms, as positions in what the source emits; nullopt: computed.
using Origins = std::vector<std::optional<int>>;

/// Says whether nobody notices that a join's keys are computed once more, those of files that are left out included.
bool is_quiet(const plan::Join& join) {
  return join.probe_keys() && !join.probe_keys()->can_fail() && !join.build_keys()->calls_outside();
}

/// Returns the partition columns of what a scan emits.
Origins partition_columns(const plan::Scan& scan) {
  Origins origins(scan.output.size());
  for (size_t i = 0; i < origins.size(); ++i) {
    if (scan.spec->columns[i].partition_index >= 0) origins[i] = static_cast<int>(i);
  }
  return origins;
}

/// Returns where the columns come from that a transform emits.
Origins pass(const plan::Node& node, const Origins& origins) {
  Origins passed(node.output.size());
  if (node.can_fail() || !node.drops_alike(node.passing_input())) return passed;
  for (size_t i = 0; i < passed.size(); ++i) {
    for (const plan::ColumnOrigin& origin : node.origins_of(static_cast<int>(i))) {
      if (origin.input == node.passing_input()) passed[i] = origins[static_cast<size_t>(origin.column)];
    }
  }
  return passed;
}

void add_join_requests(const plan::Join& join, const Origins& origins, std::vector<PartitionRequest>& requests) {
  if (!join.drops_unmatched_probe_rows() || !is_quiet(join)) return;
  const Program& keys = *join.probe_keys();
  for (int key = 0; key < keys.num_outputs(); ++key) {
    if (keys.output_type(key).is_floating()) continue;  // lists compare the bits of floats, joins their values
    expressions::ProgramBuilder builder;
    const auto value = builder.include(keys, key, origins);
    if (value) requests.push_back({&join, key, std::move(builder).finish({&*value, 1})});
  }
}

}  // namespace

std::vector<PartitionRequest> find_partition_requests(const plan::NodePtr& source,
                                                      const std::vector<plan::NodePtr>& transforms) {
  std::vector<PartitionRequest> requests;
  if (!source->is<plan::Scan>() || !source->as<plan::Scan>().spec) return requests;
  Origins origins = partition_columns(source->as<plan::Scan>());
  for (const plan::NodePtr& node : transforms) {
    if (std::ranges::none_of(origins, [](const auto& origin) { return origin.has_value(); })) break;
    if (node->is<plan::Join>()) add_join_requests(node->as<plan::Join>(), origins, requests);
    origins = pass(*node, origins);
  }
  return requests;
}

}  // namespace accelerant::planner
