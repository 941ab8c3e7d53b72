#pragma once

#include "operators/window_rows.h"

#include <cstdint>

namespace accelerant::operators {

/// The frame of each row: the rows [begins[i], ends[i]), all of its window partition. In a partition both ascend.
struct WindowFrames {
  explicit WindowFrames(const std::shared_ptr<memory::Budget>& budget) : begins(budget), ends(budget) {}

  memory::Array<int32_t> begins;
  memory::Array<int32_t> ends;
};

/// Finds the frames of all rows for a function.
/// @throws Error Cancelled; Unsupported where a bound's value is none of its type
WindowFrames find_frames(const plan::WindowCall& call, const plan::Window& node, const WindowRows& rows,
                         const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
