#include "aggregates/text_store.h"

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace accelerant::aggregates {

namespace {

constexpr int64_t kMostChunkBytes = 256 * 1024;

/// Returns the exponent of the least power of two that is no less.
int class_of(int32_t bytes) { return std::bit_width(static_cast<uint32_t>(bytes) - 1); }

}  // namespace

void TextStore::reserve(functions::HeldText& held, int64_t bytes) {
  if (bytes > INT32_MAX) throw Error(ErrorKind::Resource, "a string of " + std::to_string(bytes) + " bytes");
  if (bytes > held.capacity) {
    const int size_class = std::max(kLeastClass, class_of(static_cast<int32_t>(bytes)));
    char* room = allocate(size_class);
    if (held.data) unused_[static_cast<size_t>(class_of(held.capacity))].push_back(held.data);
    held.data = room;
    held.capacity = static_cast<int32_t>(std::min<int64_t>(int64_t{1} << size_class, INT32_MAX));
  }
  held.length = static_cast<int32_t>(bytes);
}

void TextStore::assign(functions::HeldText& held, types::StringRef text) {
  reserve(held, text.length);
  if (text.length > 0) std::memcpy(held.data, text.data, static_cast<size_t>(text.length));
}

char* TextStore::allocate(int size_class) {
  std::vector<char*>& unused = unused_[static_cast<size_t>(size_class)];
  if (!unused.empty()) {
    char* room = unused.back();
    unused.pop_back();
    return room;
  }
  const int64_t bytes = int64_t{1} << size_class;
  if (bytes > free_bytes_) {
    // A large text has a chunk of its own; the one before goes on.
    const bool is_large = bytes > chunk_bytes_ / 4;
    chunks_.push_back(memory::Buffer::allocate(is_large ? bytes : chunk_bytes_, budget_));
    char* start = chunks_.back()->mutable_as<char>();
    if (is_large) return start;
    next_ = start;
    free_bytes_ = chunk_bytes_;
    chunk_bytes_ = std::min(2 * chunk_bytes_, kMostChunkBytes);
  }
  char* room = next_;
  next_ += bytes;
  free_bytes_ -= bytes;
  return room;
}

}  // namespace accelerant::aggregates
