#include "base/notices.h"

#include <mutex>
#include <utility>

namespace accelerant {

namespace {

struct Notices {
  std::mutex mutex;
  std::vector<std::string> lines;
  size_t num_left_out = 0;
};

/// It is never destroyed, as workers may run when a process ends.
Notices& notices() {
  static auto& waiting = *new Notices;
  return waiting;
}

}  // namespace

void add_notice(std::string line) {
  Notices& waiting = notices();
  const std::lock_guard lock(waiting.mutex);
  if (waiting.lines.size() < kMaxNotices) {
    waiting.lines.push_back(std::move(line));
  } else {
    ++waiting.num_left_out;
  }
}

std::vector<std::string> take_notices() {
  Notices& waiting = notices();
  const std::lock_guard lock(waiting.mutex);
  std::vector<std::string> lines = std::exchange(waiting.lines, {});
  const size_t left_out = std::exchange(waiting.num_left_out, 0);
  if (left_out > 0) lines.push_back("and " + std::to_string(left_out) + " notices more");
  return lines;
}

}  // namespace accelerant
