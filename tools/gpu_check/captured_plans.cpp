#include "captured_plans.h"

#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/scan.h"
#include "planner/device_stages.h"
#include "planner/judge_query.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace accelerant::gpu_check {

PlannedGrouping plan_grouping(std::span<const uint8_t> message) {
  const plan::Judgement judgement = planner::judge_query(plan::decode_plan(message));
  plan::throw_unless_supported(judgement.verdict);
  const std::vector<planner::Stage> stages = planner::cut_into_stages(judgement.plan.root, judgement.plan.subqueries);
  const auto stage = std::ranges::find_if(stages, planner::has_grouping_shape);
  if (stage == stages.end()) throw_unsupported("a query without a stage that scans and groups");
  auto planned = planner::plan_device_grouping(*stage);
  if (const auto* refusal = std::get_if<planner::DeviceRefusal>(&planned)) throw_unsupported(refusal->reason);
  auto& grouping = std::get<operators::DeviceGrouping>(planned);
  grouping.steps.parameters = std::make_shared<const execution::Parameters>();
  PlannedGrouping made{{std::move(grouping.steps), grouping.num_keys, std::move(grouping.calls)}, {}};
  for (const io::ScanColumn& column : stage->feeds.front().source->as<plan::Scan>().spec->columns) {
    made.columns.push_back(column.name);
  }
  return made;
}

}  // namespace accelerant::gpu_check
