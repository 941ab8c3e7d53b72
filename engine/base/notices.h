#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace accelerant {

/// How many notices wait for a host at most.
inline constexpr size_t kMaxNotices = 64;

/// Leaves one line for the people who run the program, such as that a device is not used any more. The library prints
/// nothing itself: hosts take the lines and say them in their own way. Where too many wait, the last ones are counted
/// alone. Any thread.
void add_notice(std::string line);

/// Returns the lines since the last call, the oldest first; a last one says how many more there were, if there were.
/// Any thread: each line goes to one caller.
std::vector<std::string> take_notices();

}  // namespace accelerant
