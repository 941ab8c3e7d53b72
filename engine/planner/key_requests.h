#pragma once

#include "plan/join.h"
#include "plan/node.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace accelerant::planner {

/// A key of a join that is a column of a source: of the source's rows, those whose value the join's build side lacks
/// come to nothing.
struct KeyRequest {
  const plan::Join* join;
  int key;     ///< which of the join's keys
  int column;  ///< position in what the source emits
  /// The most rows of a build side of which a set of keys is made: one thread makes it, and a cache has to hold it.
  int64_t max_build_rows = int64_t{4} << 20;

  friend bool operator==(const KeyRequest&, const KeyRequest&) = default;
};

/// By source.
using KeyRequests = std::unordered_map<const plan::Node*, std::vector<KeyRequest>>;

/// Follows the keys of joins down to the scans that they come from: through filters, projections, sorts, unions, the
/// keys of aggregates, and through other joins to whichever side they are from; but through nothing that may fail of a
/// row, as a row that is dropped fails no more. The join's build side is always complete before such a scan starts.
KeyRequests find_key_requests(std::span<const plan::NodePtr> roots);

}  // namespace accelerant::planner
