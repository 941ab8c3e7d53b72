#include "memory/page_heap.h"

#include <algorithm>
#include <iterator>
#include <sys/mman.h>

namespace accelerant::memory {

namespace {

/// Address space is free; a range of this size is seldom left for another one.
constexpr int64_t kRangeBytes = int64_t{1} << 30;

constexpr uintptr_t kFrame = PageHeap::kFrameBytes;

constexpr int64_t round_up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Returns `bytes` of address space that start at a frame, or none where the system refuses.
std::span<std::byte> reserve_frames(int64_t bytes) {
  const auto reserved = static_cast<size_t>(bytes + PageHeap::kFrameBytes);
  void* const start =
      mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return {};
  const size_t before = -reinterpret_cast<uintptr_t>(start) % PageHeap::kFrameBytes;
  auto* const first = static_cast<std::byte*>(start) + before;
  if (before > 0) munmap(start, before);
  munmap(first + bytes, static_cast<size_t>(PageHeap::kFrameBytes) - before);
  // A system without huge pages refuses, and serves small ones.
  madvise(first, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return {first, static_cast<size_t>(bytes)};
}

}  // namespace

PageHeap::~PageHeap() {
  for (const std::span<std::byte> range : ranges_) munmap(range.data(), range.size());
}

void* PageHeap::allocate(int64_t bytes) {
  const int64_t wanted = round_up(std::max<int64_t>(bytes, 1), kAlignmentBytes);
  const std::lock_guard lock(mutex_);
  auto best = free_by_size_.lower_bound({wanted, 0});
  if (best == free_by_size_.end()) {
    if (!reserve_range(wanted)) return nullptr;
    best = free_by_size_.lower_bound({wanted, 0});
  }
  const auto [size, run] = *best;
  remove_free(free_.find(run));
  if (size > wanted) add_free(run + static_cast<uintptr_t>(wanted), size - wanted);
  note_memory(run, wanted);
  used_bytes_ += wanted;
  return reinterpret_cast<void*>(run);
}

void PageHeap::free(void* run, int64_t bytes) noexcept {
  const int64_t taken = round_up(std::max<int64_t>(bytes, 1), kAlignmentBytes);
  const std::lock_guard lock(mutex_);
  used_bytes_ -= taken;
  add_free(reinterpret_cast<uintptr_t>(run), taken);
}

void PageHeap::release_kept(int64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto run = free_by_size_.rbegin(); run != free_by_size_.rend() && run->first >= kFrameBytes; ++run) {
    const int64_t too_many = (kept_locked() - bytes + kFrameBytes - 1) / kFrameBytes;
    if (too_many <= 0) return;
    give_back(run->second, run->first, too_many);
  }
}

int64_t PageHeap::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_locked();
}

bool PageHeap::reserve_range(int64_t bytes) {
  const int64_t exact = round_up(bytes, kFrameBytes);
  std::span<std::byte> range = reserve_frames(std::max(exact, kRangeBytes));
  if (range.empty()) range = reserve_frames(exact);
  if (range.empty()) return false;
  ranges_.push_back(range);
  add_free(reinterpret_cast<uintptr_t>(range.data()), static_cast<int64_t>(range.size()));
  return true;
}

void PageHeap::add_free(uintptr_t run, int64_t bytes) {
  auto next = free_.lower_bound(run);
  if (next != free_.end() && next->first == run + static_cast<uintptr_t>(bytes)) {
    bytes += next->second;
    remove_free(next++);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + static_cast<uintptr_t>(before->second) == run) {
      run = before->first;
      bytes += before->second;
      remove_free(before);
    }
  }
  free_.emplace(run, bytes);
  free_by_size_.emplace(bytes, run);
}

void PageHeap::remove_free(std::map<uintptr_t, int64_t>::iterator run) {
  free_by_size_.erase({run->second, run->first});
  free_.erase(run);
}

void PageHeap::note_memory(uintptr_t run, int64_t bytes) {
  const uintptr_t end = run + static_cast<uintptr_t>(bytes);
  for (uintptr_t frame = run / kFrame * kFrame; frame < end; frame += kFrame) frames_.insert(frame);
}

void PageHeap::give_back(uintptr_t run, int64_t bytes, int64_t num_frames) {
  const uintptr_t end = run + static_cast<uintptr_t>(bytes);
  for (uintptr_t frame = (run + kFrame - 1) / kFrame * kFrame; frame + kFrame <= end && num_frames > 0;
       frame += kFrame) {
    if (frames_.erase(frame) == 0) continue;
    madvise(reinterpret_cast<void*>(frame), kFrame, MADV_DONTNEED);
    --num_frames;
  }
}

int64_t PageHeap::kept_locked() const { return static_cast<int64_t>(frames_.size()) * kFrameBytes - used_bytes_; }

}  // namespace accelerant::memory
