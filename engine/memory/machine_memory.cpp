#include "memory/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace accelerant::memory {

namespace {

int64_t read_limit(const std::string& path) {
  std::ifstream file(path);
  int64_t limit = 0;
  // None: "max", or as many whole pages as 63 bits count.
  return file >> limit && limit > 0 && limit < INT64_MAX / 2 ? limit : INT64_MAX;
}

/// Returns the lowest limit of a group and of those around it.
int64_t lowest_limit(const std::string& root, std::string group, const std::string& file) {
  int64_t lowest = INT64_MAX;
  while (group.size() > 1 && group.front() == '/') {
    lowest = std::min(lowest, read_limit(root + group + file));
    group.resize(group.rfind('/'));
  }
  return lowest;
}

}  // namespace

int64_t cgroup_limit_bytes(const std::string& groups, const std::string& root) {
  // In a container the root's files are the group's own, whatever the group is called.
  int64_t lowest = std::min(read_limit(root + "/memory.max"), read_limit(root + "/memory/memory.limit_in_bytes"));
  std::istringstream lines(groups);
  // A line is "number:controllers:/group"; the second version of control groups names no controllers.
  for (std::string number, controllers, group;
       std::getline(lines, number, ':') && std::getline(lines, controllers, ':') && std::getline(lines, group);) {
    if (controllers.empty()) {
      lowest = std::min(lowest, lowest_limit(root, group, "/memory.max"));
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      lowest = std::min(lowest, lowest_limit(root + "/memory", group, "/memory.limit_in_bytes"));
    }
  }
  return lowest;
}

int64_t machine_memory_bytes() {
  const int64_t physical = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  std::ifstream file("/proc/self/cgroup");
  const std::string groups{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return std::min(physical, cgroup_limit_bytes(groups, "/sys/fs/cgroup"));
}

int64_t default_limit_bytes(int64_t memory_bytes, int64_t heap_bytes) {
  const int64_t tenth = memory_bytes / 10;
  return std::max(tenth, std::min(tenth * 6, tenth * 9 - heap_bytes));
}

}  // namespace accelerant::memory
