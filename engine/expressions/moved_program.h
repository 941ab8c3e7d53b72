#pragma once

#include "expressions/program.h"

#include <memory>
#include <optional>
#include <span>

namespace accelerant::expressions {

/// Returns what computes the same where input column i is at `places[i]`; each one that is read has a place. Of nullptr
/// it is nullptr.
std::shared_ptr<const Program> moved(const std::shared_ptr<const Program>& program,
                                     std::span<const std::optional<int>> places);

}  // namespace accelerant::expressions
