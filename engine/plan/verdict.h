#pragma once

#include "plan/bridge.h"
#include "plan/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// Returns the word in the verdict, e.g. "single".
const char* to_string(Partitioning partitioning);

/// Says why a plan can't end in what only certain nodes may stand above.
std::string reason_against_end(std::string_view end);

/// Judgement on one Spark plan node.
struct NodeVerdict {
  int plan_node = -1;
  std::string operator_name;  ///< Spark's short name, e.g. "HashAggregate"
  std::string reason;         ///< why it is unsupported; empty: native
};

/// Judgement on a setting that makes a query unsupported.
struct SettingVerdict {
  std::string name;
  std::string reason;
};

/// What the engine says about a plan before it runs.
struct Verdict {
  bool supported = false;
  Partitioning partitioning = Partitioning::Single;
  std::vector<NodeVerdict> nodes;  ///< every plan node reachable from the root, by index
  std::vector<SettingVerdict> settings;
  std::vector<BridgedCall> bridged;  ///< what Spark's own code computes inside the native query
  /// What a supported plan may meet values in that only Spark can compute, in words; empty: nothing.
  std::string needs_spark;

  /// Says why one node is unsupported, and with it the plan; of a node that has a reason nothing more is said.
  void refuse_node(int plan_node, const std::string& reason);

  /// Writes the verdict message of docs/design/plan-message.md.
  std::string to_text() const;
};

}  // namespace accelerant::plan
