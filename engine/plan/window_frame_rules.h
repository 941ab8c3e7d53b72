#pragma once

#include "plan/window.h"
#include "plan/window_input.h"

#include <cstddef>
#include <span>

namespace accelerant::plan {

/// Binds a SpecifiedWindowFrame.
/// @param order_keys of the window; `orders` are their expressions, bound
/// @throws Error Unsupported
WindowFrame bind_frame(WindowInput& input, int frame, std::span<const SortKey> order_keys, std::span<const int> orders);

}  // namespace accelerant::plan
