#include "planner/judge_query.h"

#include "base/error.h"
#include "plan/plan_message.h"
#include "planner/query_rewrites.h"

#include <utility>

namespace accelerant::planner {

namespace {

void rewrite_judged(plan::Judgement& judgement) {
  drop_partitions(judgement.plan, judgement.verdict);
  if (judgement.verdict.supported) judgement.plan = rewrite_for_query(std::move(judgement.plan));
}

}  // namespace

plan::Judgement judge_query(const plan::PlanMessage& message) {
  plan::Judgement judgement = plan::judge(message);
  try {
    rewrite_judged(judgement);
  } catch (const Error& error) {
    judgement.verdict.refuse_node(message.root, error.message());
  }
  if (!judgement.verdict.supported) judgement.plan = {};
  judgement.verdict.partitioning = judgement.plan.partitioning;
  return judgement;
}

}  // namespace accelerant::planner
