#include "io/orc_bytes.h"

#include "io/fail_damaged.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace accelerant::io {

using memory::Buffer;

namespace {

/// A chunk begins with its length, times two, and whether it is stored as it is.
constexpr int64_t kHeadBytes = 3;

int64_t head_at(const uint8_t* data) { return data[0] | data[1] << 8 | data[2] << 16; }

}  // namespace

OrcBytes::OrcBytes(std::shared_ptr<OrcCodec> codec, memory::BufferPtr owner, std::span<const uint8_t> stored,
                   std::shared_ptr<memory::Budget> budget)
    : codec_(std::move(codec)), owner_(std::move(owner)), budget_(std::move(budget)) {
  const uint8_t* end = stored.data() + stored.size();
  if (codec_->compresses()) {
    stored_ = stored.data();
    stored_end_ = end;
  } else {
    data_ = stored.data();
    end_ = end;
  }
}

int64_t OrcBytes::most_left() const {
  int64_t bytes = end_ - data_;
  for (const uint8_t* at = stored_; stored_end_ - at >= kHeadBytes; bytes += codec_->block_bytes()) {
    const int64_t stored = kHeadBytes + (head_at(at) >> 1);
    if (stored > stored_end_ - at) break;
    at += stored;
  }
  return bytes;
}

OrcBytes::Chunk OrcBytes::next_chunk() {
  if (stored_end_ - stored_ < kHeadBytes) fail_damaged("a compressed chunk has no head");
  const int64_t head = head_at(stored_);
  const int64_t num_bytes = head >> 1;
  stored_ += kHeadBytes;
  if (num_bytes > stored_end_ - stored_) fail_damaged("a compressed chunk is longer than its stream");
  const bool is_compressed = (head & 1) == 0;
  if (!is_compressed && num_bytes > codec_->block_bytes())
    fail_damaged("a chunk is longer than chunks of its file are");
  const Chunk chunk{is_compressed, {stored_, static_cast<size_t>(num_bytes)}};
  stored_ += num_bytes;
  return chunk;
}

void OrcBytes::gather(int64_t n) {
  while (end_ - data_ < n && stored_ != stored_end_) {
    const Chunk chunk = next_chunk();
    if (chunk.is_compressed || data_ != end_) {
      append(chunk);
    } else {
      data_ = chunk.bytes.data();
      end_ = data_ + chunk.bytes.size();
    }
  }
}

/// Has what is left lie in memory that is kept for the next chunks, and returns where another one goes behind it. What
/// is left moves so seldom that many small chunks cost no more than few.
uint8_t* OrcBytes::make_room() {
  const int64_t left = end_ - data_;
  const int64_t room = left + codec_->block_bytes();
  if (left > 0 && window_) {
    const uint8_t* begin = window_->data();
    const uint8_t* end = begin + window_->size_bytes();
    const bool lies_there = data_ >= begin && end_ <= end;
    if (lies_there && end - end_ >= codec_->block_bytes()) return window_->mutable_data() + (end_ - begin);
  }
  auto window = window_;
  if (!window || window->size_bytes() < room) window = Buffer::allocate(room + left, budget_);
  uint8_t* to = window->mutable_data();
  if (left > 0) std::memmove(to, data_, static_cast<size_t>(left));
  window_ = std::move(window);
  data_ = to;
  end_ = to + left;
  return to + left;
}

/// Puts a chunk behind what is left.
void OrcBytes::append(const Chunk& chunk) {
  uint8_t* to = make_room();
  int64_t added = static_cast<int64_t>(chunk.bytes.size());
  if (chunk.is_compressed) {
    added = codec_->decompress(chunk.bytes, to);
  } else if (added > 0) {
    std::memcpy(to, chunk.bytes.data(), chunk.bytes.size());
  }
  end_ += added;
}

void OrcBytes::copy(int64_t n, uint8_t* to) {
  while (n > 0) {
    ensure(1);
    const int64_t count = std::min(n, static_cast<int64_t>(end_ - data_));
    if (count == 0) fail_damaged("a stream ends too early");
    std::memcpy(to, data_, static_cast<size_t>(count));
    data_ += count;
    to += count;
    n -= count;
  }
}

std::span<const uint8_t> OrcBytes::read_all() {
  ensure(most_left() + 1);
  return {std::exchange(data_, end_), end_};
}

}  // namespace accelerant::io
