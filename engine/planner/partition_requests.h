#pragma once

#include "plan/join.h"
#include "plan/node.h"

#include <cstdint>
#include <vector>

namespace accelerant::planner {

/// A key of a join that is computed of a scan's partition columns: of its files, those whose value the join's build
/// side lacks come to nothing.
struct PartitionRequest {
  const plan::Join* join;
  int key;                 ///< which of the join's keys
  plan::ProgramPtr value;  ///< the key, of the columns that the scan emits
  /// A build side of more rows is not looked at: few of them leave files out.
  int64_t max_build_rows = 128 * 1024;
};

/// Follows a scan's partition columns through the transforms that its rows pass, in their order, and returns what the
/// joins among them ask of these columns; but through nothing that may fail of a row, as a row that is dropped fails no
/// more.
std::vector<PartitionRequest> find_partition_requests(const plan::NodePtr& source,
                                                      const std::vector<plan::NodePtr>& transforms);

}  // namespace accelerant::planner
