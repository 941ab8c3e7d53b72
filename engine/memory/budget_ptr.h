#pragma once

#include <memory>

namespace accelerant::memory {

class Budget;

/// A budget as those hold it who are charged to it.
using BudgetPtr = std::shared_ptr<Budget>;

}  // namespace accelerant::memory
