#pragma once

#include "plan/file_layout.h"
#include "plan/node.h"
#include "plan/verdict.h"

#include <string>
#include <vector>

namespace accelerant::io {
class WriteFormat;
}

namespace accelerant::plan {

struct PlanMessage;

/// A plan message turned into plan nodes, one for each of Spark's operators. Owns everything it needs: the message may
/// go.
struct BoundPlan {
  NodePtr root;
  int root_plan_node = -1;          ///< plan-message index of Spark's topmost node
  std::vector<NodePtr> subqueries;  ///< ScalarValue nodes, each before those that take its value
  std::vector<NodePtr> rest;        ///< of a plan that is not supported: trees below what could not be bound
  Partitioning partitioning = Partitioning::Single;
  bool is_in_one_part = false;                    ///< the program asks for all rows of the result in one partition
  const io::WriteFormat* write_format = nullptr;  ///< of files for whose writers alone the rows are
  FileLayout files;                               ///< of rows for writers
  std::vector<int> scans;                         ///< plan-message indices of the scans, ascending
  std::string spark_version;                      ///< e.g. "4.3.0"
  std::string time_zone;                          ///< spark.sql.session.timeZone
};

/// Returns the roots of a plan's trees: the query's and the subqueries'.
std::vector<NodePtr> roots_of(const BoundPlan& plan);

/// Calls `work` with each of these trees, which may change it.
void for_each_root(BoundPlan& plan, const auto& work) {
  for (NodePtr& subquery : plan.subqueries) work(subquery);
  work(plan.root);
}

/// What becomes of a plan message.
struct Judgement {
  Verdict verdict;
  /// Where the verdict says unsupported, with what takes the places of operators that could not be bound, as far as it
  /// has a tree.
  BoundPlan plan;
};

/// Turns a message into plan nodes, or says why not: finds as many reasons as one pass can. Every field of every node
/// is consumed. What Spark does to partitions is bound like anything else. Never throws for a decoded message.
Judgement judge(const PlanMessage& message);

/// @throws Error Unsupported naming the first node, field or setting that the engine does not know
void throw_unless_supported(const Verdict& verdict);

/// Turns a message into plan nodes, or throws likewise.
BoundPlan bind(const PlanMessage& message);

}  // namespace accelerant::plan
