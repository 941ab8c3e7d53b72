#include "runtime/process.h"

#include "base/error.h"
#include "spill/mapped_memory.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace accelerant::runtime {

namespace {

struct Registry {
  std::mutex mutex;
  bool shut_down = false;
  std::vector<std::weak_ptr<Stoppable>> stoppables;
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

}  // namespace

Scheduler& scheduler() {
  static auto* instance = new Scheduler(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  return *instance;
}

Arbiter& arbiter() {
  static auto* instance = [] {
    auto* arbiter = new Arbiter;
    memory::process_budget()->set_arbiter(arbiter);
    memory::process_budget()->set_disk_memory(&spill::process_mapped_memory());
    return arbiter;
  }();
  return *instance;
}

void register_stoppable(const std::shared_ptr<Stoppable>& stoppable) {
  std::lock_guard lock(registry().mutex);
  if (registry().shut_down) throw Error(ErrorKind::Cancelled, "the engine was shut down");
  std::erase_if(registry().stoppables, [](const auto& entry) { return entry.expired(); });
  registry().stoppables.push_back(stoppable);
}

void shut_down() {
  std::vector<std::weak_ptr<Stoppable>> stoppables;
  {
    std::lock_guard lock(registry().mutex);
    registry().shut_down = true;
    stoppables.swap(registry().stoppables);
  }
  for (const auto& entry : stoppables) {
    if (const auto stoppable = entry.lock()) stoppable->cancel();
  }
  scheduler().resize(0);
}

}  // namespace accelerant::runtime
