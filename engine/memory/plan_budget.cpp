#include "memory/plan_budget.h"

namespace accelerant::memory {

const std::shared_ptr<Budget>& plan_budget() {
  static const auto* budget =
      new std::shared_ptr<Budget>(std::make_shared<Budget>("plans", Budget::kUnlimited, process_budget()));
  return *budget;
}

}  // namespace accelerant::memory
