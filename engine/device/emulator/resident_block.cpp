#include "device/emulator/resident_block.h"

#include "base/error.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace accelerant::device::emulator {

namespace {

constexpr int32_t kWarpThreads = 32;
constexpr size_t kSharedAlignment = 16;

bool waits_for_warp(Stop stop) { return stop == Stop::WarpBarrier || stop == Stop::Ballot || stop == Stop::Shuffle; }

/// Says what threads do that stopped, of one and of many.
std::string_view describe_stop(Stop stop, bool is_one) {
  switch (stop) {
    case Stop::None:
      return is_one ? "has not run" : "have not run";
    case Stop::AtomicRead:
      return is_one ? "reads an atomic" : "read an atomic";
    case Stop::AtomicWrite:
      return is_one ? "writes an atomic" : "write an atomic";
    case Stop::Barrier:
      return is_one ? "waits for its block" : "wait for their block";
    case Stop::WarpBarrier:
      return is_one ? "waits for its warp" : "wait for their warp";
    case Stop::Ballot:
      return is_one ? "takes part in a ballot" : "take part in a ballot";
    case Stop::Shuffle:
      return is_one ? "takes part in a shuffle" : "take part in a shuffle";
    case Stop::End:
      return is_one ? "has returned" : "have returned";
  }
  return "";
}

std::string file_and_line(Place place) {
  const std::string_view path = place.file;
  return std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(place.line);
}

}  // namespace

ResidentBlock::ResidentBlock(const Launch& launch, int64_t index, uint8_t poison)
    : launch_(launch),
      index_(index),
      shared_(static_cast<size_t>(launch.task.kernel.emulated_shared_bytes), kSharedAlignment) {
  std::memset(shared_.data(), poison, shared_.size_bytes());
  for (int32_t i = 0; i < launch.task.kernel.num_threads; ++i) {
    char* warp_tokens = warp_barrier_tokens_.data() + i / kWarpThreads * 2;
    const BlockThread::Surroundings surroundings = {launch,     *this, index, shared_.data(), barrier_tokens_.data(),
                                                    warp_tokens};
    threads_.push_back(std::make_unique<BlockThread>(surroundings, i));
  }
}

void ResidentBlock::abandon() {
  for (const auto& thread : threads_) thread->abandon();
}

void ResidentBlock::start(std::vector<BlockThread*>& ready) {
  num_running_ = launch_.task.kernel.num_threads;
  for (const auto& thread : threads_) ready.push_back(thread.get());
}

void ResidentBlock::settle(BlockThread& thread, std::vector<BlockThread*>& ready) {
  const Stop stop = thread.stop();
  if (stop == Stop::AtomicRead || stop == Stop::AtomicWrite) {
    ready.push_back(&thread);
    return;
  }
  --num_running_;
  const Range warp = warp_of(thread);
  int32_t& num_at_warp = num_at_warp_[static_cast<size_t>(warp.begin / kWarpThreads)];
  if (stop == Stop::End) ++num_ended_;
  if (stop == Stop::Barrier && ++num_at_barrier_ == launch_.task.kernel.num_threads) {
    num_at_barrier_ = 0;
    meet({0, launch_.task.kernel.num_threads}, ready);
  }
  if (waits_for_warp(stop) && ++num_at_warp == kWarpThreads) {
    num_at_warp = 0;
    meet(warp, ready);
  }
  if (num_running_ == 0 && !has_ended()) fail("threads wait for others that do not come");
}

void ResidentBlock::meet(Range threads, std::vector<BlockThread*>& ready) {
  check_places(threads);
  if (threads_[static_cast<size_t>(threads.begin)]->stop() != Stop::Barrier) combine(threads);
  for (int32_t i = threads.begin; i < threads.end; ++i) ready.push_back(threads_[static_cast<size_t>(i)].get());
  num_running_ += threads.end - threads.begin;
}

void ResidentBlock::check_places(Range threads) const {
  const BlockThread& first = *threads_[static_cast<size_t>(threads.begin)];
  for (int32_t i = threads.begin; i < threads.end; ++i) {
    const BlockThread& thread = *threads_[static_cast<size_t>(i)];
    if (thread.stop() == first.stop() && thread.place() == first.place()) continue;
    fail("threads that should meet are at different places");
  }
}

void ResidentBlock::combine(Range warp) {
  std::array<uint64_t, kWarpThreads> values{};
  uint64_t ballot = 0;
  for (int32_t lane = 0; lane < kWarpThreads; ++lane) {
    const auto i = static_cast<size_t>(lane);
    values[i] = threads_[static_cast<size_t>(warp.begin) + i]->value();
    ballot |= static_cast<uint64_t>(values[i] != 0) << lane;
  }
  for (int32_t i = warp.begin; i < warp.end; ++i) {
    BlockThread& thread = *threads_[static_cast<size_t>(i)];
    if (thread.stop() == Stop::Ballot) thread.set_result(ballot);
    if (thread.stop() == Stop::Shuffle) thread.set_result(values[static_cast<size_t>(thread.lane() % kWarpThreads)]);
  }
}

ResidentBlock::Range ResidentBlock::warp_of(const BlockThread& thread) const {
  const int32_t begin = thread.number() / kWarpThreads * kWarpThreads;
  return {begin, begin + kWarpThreads};
}

void ResidentBlock::fail(const std::string& what) const {
  throw Error(ErrorKind::Internal, "kernel " + std::string(launch_.task.kernel.name) + ", block " +
                                       std::to_string(index_) + ": " + what + ": " + describe());
}

std::string ResidentBlock::describe() const {
  std::string text;
  for (int32_t begin = 0; begin < launch_.task.kernel.num_threads;) {
    const BlockThread& first = *threads_[static_cast<size_t>(begin)];
    int32_t end = begin + 1;
    while (end < launch_.task.kernel.num_threads && threads_[static_cast<size_t>(end)]->stop() == first.stop() &&
           threads_[static_cast<size_t>(end)]->place() == first.place()) {
      ++end;
    }
    text += describe({begin, end});
    begin = end;
  }
  return text.substr(2);
}

std::string ResidentBlock::describe(Range threads) const {
  const BlockThread& first = *threads_[static_cast<size_t>(threads.begin)];
  const bool is_one = threads.end - threads.begin == 1;
  const bool has_place = first.stop() != Stop::None && first.stop() != Stop::End;
  const std::string numbers =
      is_one ? ", thread " + std::to_string(threads.begin)
             : ", threads " + std::to_string(threads.begin) + "-" + std::to_string(threads.end - 1);
  return numbers + " " + std::string(describe_stop(first.stop(), is_one)) +
         (has_place ? " at " + file_and_line(first.place()) : "");
}

}  // namespace accelerant::device::emulator
