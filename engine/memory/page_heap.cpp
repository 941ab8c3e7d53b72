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
  const Run whole{best->second, best->first};
  const Run run{whole.begin, wanted};
  remove_free(free_.find(whole.begin));
  if (whole.bytes > wanted) add_free({run.end(), whole.bytes - wanted});
  free_frames_ -= count_frames(run, whole);
  note_memory(run);
  used_bytes_ += wanted;
  note_kept();
  return reinterpret_cast<void*>(run.begin);
}

void PageHeap::free(void* run, int64_t bytes) noexcept {
  const Run freed{reinterpret_cast<uintptr_t>(run), round_up(std::max<int64_t>(bytes, 1), kAlignmentBytes)};
  const std::lock_guard lock(mutex_);
  free_frames_ += count_frames(freed, add_free(freed));
  used_bytes_ -= freed.bytes;
  note_kept();
}

void PageHeap::release_kept(int64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto run = free_by_size_.rbegin(); run != free_by_size_.rend() && free_frames_ > 0; ++run) {
    const int64_t too_many = (kept_bytes() - bytes + kFrameBytes - 1) / kFrameBytes;
    if (too_many <= 0) return;
    give_back({run->second, run->first}, too_many);
    note_kept();
  }
}

bool PageHeap::reserve_range(int64_t bytes) {
  const int64_t exact = round_up(bytes, kFrameBytes);
  std::span<std::byte> range = reserve_frames(std::max(exact, kRangeBytes));
  if (range.empty()) range = reserve_frames(exact);
  if (range.empty()) return false;
  ranges_.push_back(range);
  add_free({reinterpret_cast<uintptr_t>(range.data()), static_cast<int64_t>(range.size())});
  return true;
}

PageHeap::Run PageHeap::add_free(Run run) {
  auto next = free_.lower_bound(run.begin);
  if (next != free_.end() && next->first == run.end()) {
    run.bytes += next->second;
    remove_free(next++);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + static_cast<uintptr_t>(before->second) == run.begin) {
      run = {before->first, before->second + run.bytes};
      remove_free(before);
    }
  }
  free_.emplace(run.begin, run.bytes);
  free_by_size_.emplace(run.bytes, run.begin);
  return run;
}

void PageHeap::remove_free(std::map<uintptr_t, int64_t>::iterator run) {
  free_by_size_.erase({run->second, run->first});
  free_.erase(run);
}

void PageHeap::note_memory(Run run) {
  for (uintptr_t frame = run.begin / kFrame * kFrame; frame < run.end(); frame += kFrame) frames_.insert(frame);
}

int64_t PageHeap::count_frames(Run part, Run whole) const {
  const uintptr_t first = std::max(part.begin / kFrame * kFrame, (whole.begin + kFrame - 1) / kFrame * kFrame);
  int64_t count = 0;
  for (uintptr_t frame = first; frame < part.end() && frame + kFrame <= whole.end(); frame += kFrame) {
    count += frames_.contains(frame);
  }
  return count;
}

void PageHeap::give_back(Run run, int64_t num_frames) {
  for (uintptr_t frame = (run.begin + kFrame - 1) / kFrame * kFrame; frame + kFrame <= run.end() && num_frames > 0;
       frame += kFrame) {
    if (frames_.erase(frame) == 0) continue;
    madvise(reinterpret_cast<void*>(frame), kFrame, MADV_DONTNEED);
    --num_frames;
    --free_frames_;
  }
}

void PageHeap::note_kept() {
  const int64_t kept = static_cast<int64_t>(frames_.size()) * kFrameBytes - used_bytes_;
  kept_bytes_.store(kept, std::memory_order_relaxed);
}

}  // namespace accelerant::memory
