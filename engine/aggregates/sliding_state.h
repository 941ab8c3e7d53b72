#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace accelerant::aggregates {

/// Goes through frames of rows, neither end of which moves back, with one state S, to which rows are added and from
/// which they are taken again.
/// @param with calls a function with a row's values, if the row counts
/// @param keep is called with each frame's number and state
template <class S, class With, class Keep>
void slide_state(std::span<const int32_t> begins, std::span<const int32_t> ends, const With& with, const Keep& keep) {
  S state = S::init();
  int32_t begin = 0;
  int32_t end = 0;
  for (size_t frame = 0; frame < begins.size(); ++frame) {
    if (begins[frame] >= end) {
      state = S::init();
      begin = end = begins[frame];
    }
    for (; end < ends[frame]; ++end) with(end, [&](auto... values) { state.update(values...); });
    for (; begin < begins[frame]; ++begin) with(begin, [&](auto... values) { state.retract(values...); });
    keep(frame, state);
  }
}

}  // namespace accelerant::aggregates
