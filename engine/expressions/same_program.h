#pragma once

#include "expressions/program.h"

#include <memory>

namespace accelerant::expressions {

/// Says whether programs compute the same of the same inputs; nullptr is like nullptr alone.
bool compute_same(const std::shared_ptr<const Program>& a, const std::shared_ptr<const Program>& b);

}  // namespace accelerant::expressions
