#pragma once

#include "plan/node.h"

#include <string>
#include <vector>

namespace accelerant::plan {

struct PlanMessage;

/// Returns the word in the verdict, e.g. "single".
const char* to_string(Partitioning partitioning);

/// A plan message turned into plan nodes. Owns everything it needs: the message may go.
struct BoundPlan {
  NodePtr root;
  std::vector<NodePtr> subqueries;  ///< ScalarValue nodes, each before those that take its value
  Partitioning partitioning = Partitioning::Single;
  std::vector<int> scans;     ///< plan-message indices of the scans, ascending
  std::string spark_version;  ///< e.g. "4.3.0"
  std::string time_zone;      ///< spark.sql.session.timeZone
};

/// Returns the roots of a plan's trees: the query's and the subqueries'.
std::vector<NodePtr> roots_of(const BoundPlan& plan);

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
  /// What a supported plan may meet values in that only Spark can compute, in words; empty: nothing.
  std::string needs_spark;

  /// Writes the verdict message of docs/design/plan-message.md.
  std::string to_text() const;
};

/// Turns a message into plan nodes. Every field of every node is consumed.
/// @throws Error Unsupported naming the first node, field or setting that the engine does not know
BoundPlan bind(const PlanMessage& message);

/// Judges a message; finds as many reasons as one pass can. Never throws for a decoded message.
Verdict check(const PlanMessage& message);

}  // namespace accelerant::plan
