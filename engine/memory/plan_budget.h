#pragma once

#include "memory/budget.h"

#include <memory>

namespace accelerant::memory {

/// Returns the budget, below the process's, of what plans hold that may run again: constants, the footers of files.
const std::shared_ptr<Budget>& plan_budget();

}  // namespace accelerant::memory
