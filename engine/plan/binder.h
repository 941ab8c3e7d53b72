#pragma once

#include "plan/file_layout.h"
#include "plan/node.h"
#include "plan/verdict.h"

#include <string>
#include <vector>

namespace accelerant::plan {

struct PlanMessage;

/// A plan message turned into plan nodes. Owns everything it needs: the message may go.
struct BoundPlan {
  NodePtr root;
  std::vector<NodePtr> subqueries;  ///< ScalarValue nodes, each before those that take its value
  Partitioning partitioning = Partitioning::Single;
  bool writes_files = false;  ///< the rows are for writers of files alone
  FileLayout files;           ///< of rows for writers
  std::vector<int> scans;     ///< plan-message indices of the scans, ascending
  std::string spark_version;  ///< e.g. "4.3.0"
  std::string time_zone;      ///< spark.sql.session.timeZone
};

/// Returns the roots of a plan's trees: the query's and the subqueries'.
std::vector<NodePtr> roots_of(const BoundPlan& plan);

/// Turns a message into plan nodes. Every field of every node is consumed.
/// @throws Error Unsupported naming the first node, field or setting that the engine does not know
BoundPlan bind(const PlanMessage& message);

/// Judges a message; finds as many reasons as one pass can. Never throws for a decoded message.
Verdict check(const PlanMessage& message);

}  // namespace accelerant::plan
