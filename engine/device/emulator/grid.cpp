#include "device/emulator/grid.h"

#include "base/error.h"
#include "device/emulator/sanitizer_hooks.h"

#include <algorithm>
#include <numeric>

namespace accelerant::device::emulator {

namespace {

/// Steps with nothing but atomic reads after which nothing else is expected: so many, and so many a ready thread, that
/// random turns have come to each thread many times.
constexpr size_t kFruitlessSteps = 20'000;
constexpr size_t kFruitlessStepsPerThread = 100;

}  // namespace

Grid::Grid(const Task& task, const Schedule& schedule, StackPool& stacks)
    : schedule_(schedule),
      random_(schedule.seed),
      launch_{task, stacks, &end_token_},
      max_resident_(static_cast<size_t>(schedule.resident_blocks)) {
  if (schedule_.turns != Turns::Random) return;
  max_resident_ = 1 + random_() % max_resident_;
  order_.resize(static_cast<size_t>(task.num_blocks));
  std::iota(order_.begin(), order_.end(), 0);
  std::shuffle(order_.begin(), order_.end(), random_);
}

void Grid::run() {
  try {
    run_blocks();
  } catch (const Error&) {
    for (ResidentBlock& block : resident_) block.abandon();
    acquire(&end_token_);
    throw;
  }
  acquire(&end_token_);
  launch_.stacks.note_order();
}

void Grid::run_blocks() {
  start_blocks();
  while (!ready_.empty()) {
    BlockThread& thread = take();
    thread.resume();
    watch(thread);
    ResidentBlock& block = thread.block();
    block.settle(thread, fresh_);
    put();
    if (!block.has_ended()) continue;
    resident_.remove_if([&block](const ResidentBlock& other) { return &other == &block; });
    start_blocks();
  }
}

void Grid::start_blocks() {
  while (resident_.size() < max_resident_ && num_started_ < launch_.task.num_blocks) {
    // Never 0, which too many kernels take for an empty place.
    const auto poison = static_cast<uint8_t>(0x80 | (random_() & 0x7f));
    resident_.emplace_back(launch_, next_block(), poison).start(fresh_);
    put();
  }
}

int64_t Grid::next_block() {
  const int64_t number = num_started_++;
  if (schedule_.turns == Turns::Random) return order_[static_cast<size_t>(number)];
  return schedule_.turns == Turns::Reverse ? launch_.task.num_blocks - 1 - number : number;
}

BlockThread& Grid::take() {
  if (schedule_.turns == Turns::Random) std::swap(ready_.front(), ready_[random_() % ready_.size()]);
  BlockThread* thread = ready_.front();
  ready_.pop_front();
  return *thread;
}

void Grid::put() {
  if (schedule_.turns == Turns::Reverse) std::reverse(fresh_.begin(), fresh_.end());
  ready_.insert(ready_.end(), fresh_.begin(), fresh_.end());
  fresh_.clear();
}

void Grid::watch(BlockThread& thread) {
  num_fruitless_ = thread.take_progress() ? 0 : num_fruitless_ + 1;
  if (num_fruitless_ > kFruitlessSteps + kFruitlessStepsPerThread * (ready_.size() + 1)) fail_without_end();
}

void Grid::fail_without_end() const {
  std::string text = "kernel " + std::string(launch_.task.kernel.name) + " makes no progress";
  for (const ResidentBlock& block : resident_) {
    text += "; block " + std::to_string(block.index()) + ": " + block.describe();
  }
  throw Error(ErrorKind::Internal, text);
}

}  // namespace accelerant::device::emulator
