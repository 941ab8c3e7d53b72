#pragma once

#include <cstdint>
#include <string>

namespace accelerant::memory {

/// Returns the bytes that the process can have: the machine's memory, or less where a control group limits it.
int64_t machine_memory_bytes();

/// Returns the lowest limit of the control groups that a process is in.
/// @param groups the text of /proc/self/cgroup
/// @param root where the groups are mounted, /sys/fs/cgroup
/// @return INT64_MAX where nothing limits them
int64_t cgroup_limit_bytes(const std::string& groups, const std::string& root);

/// Returns what the engine takes at most where nothing is set: 60 % of the memory, or what the heap of the program
/// around it leaves of 90 %, but no less than 10 %.
int64_t default_limit_bytes(int64_t memory_bytes, int64_t heap_bytes);

}  // namespace accelerant::memory
