#pragma once

#include "plan/binder.h"

namespace accelerant::planner {

/// Judges a message as a query of its own, which has no partitions of Spark's: binds it, and rewrites what it is bound
/// to as far as no table has to be open. Never throws for a decoded message.
plan::Judgement judge_query(const plan::PlanMessage& message);

}  // namespace accelerant::planner
