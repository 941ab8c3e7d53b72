#include "io/encoded_bytes.h"

#include "base/error.h"
#include "io/fail_damaged.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace accelerant::io {

using memory::Buffer;
using parquet::Encoding;
using types::StringRef;

namespace {

const char* as_text(const uint8_t* data) { return reinterpret_cast<const char*>(data); }

[[noreturn]] void refuse_encoding(Encoding::type encoding) {
  throw_unsupported("a page of byte arrays in encoding " + parquet::EncodingToString(encoding));
}

}  // namespace

void EncodedBytes::start(Encoding::type encoding, const uint8_t* data, int64_t num_bytes) {
  encoding_ = encoding;
  data_ = data;
  end_ = data + num_bytes;
  last_ = {nullptr, 0};
  if (encoding == Encoding::BYTE_STREAM_SPLIT && width_ > 0) {
    split_values_ = num_bytes / width_;
    split_done_ = 0;
  } else if (encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY && width_ == 0) {
    lengths_.reset(data, end_);
    data_ = lengths_.find_end();
  } else if (encoding == Encoding::DELTA_BYTE_ARRAY) {
    prefixes_.reset(data, end_);
    lengths_.reset(prefixes_.find_end(), end_);
    data_ = lengths_.find_end();
  } else {
    refuse_encoding(encoding);
  }
}

void EncodedBytes::read(int64_t n, StringRef* to) {
  switch (encoding_) {
    case Encoding::BYTE_STREAM_SPLIT:
      return join_streams(n, to);
    case Encoding::DELTA_BYTE_ARRAY:
      return read_prefixed(n, to);
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
      return read_lengths(n, to);
    case Encoding::PLAIN:
    case Encoding::PLAIN_DICTIONARY:
    case Encoding::RLE:
    case Encoding::BIT_PACKED:
    case Encoding::DELTA_BINARY_PACKED:
    case Encoding::RLE_DICTIONARY:
    case Encoding::UNDEFINED:
    case Encoding::UNKNOWN:
      break;
  }
  refuse_encoding(encoding_);
}

void EncodedBytes::skip(int64_t n) {
  StringRef passed[kBlock];
  for (; n > 0; n -= std::min(n, kBlock)) read(std::min(n, kBlock), passed);
}

void EncodedBytes::read_lengths(int64_t n, StringRef* to) {
  int64_t lengths[kBlock];
  lengths_.read(n, lengths);
  for (int64_t i = 0; i < n; ++i) {
    if (lengths[i] < 0 || lengths[i] > end_ - data_) fail_damaged("a value does not end in its page");
    to[i] = {as_text(data_), static_cast<int32_t>(lengths[i])};
    data_ += lengths[i];
  }
}

/// Values that share nothing with the one before them stay in the page; the others are put together in a buffer, whose
/// size is known before it is taken. No value is longer than its page.
void EncodedBytes::read_prefixed(int64_t n, StringRef* to) {
  int64_t prefixes[kBlock];
  prefixes_.read(n, prefixes);
  read_lengths(n, to);
  int64_t made_bytes = 0;
  int64_t last_bytes = last_.length;
  for (int64_t i = 0; i < n; ++i) {
    if (prefixes[i] < 0 || prefixes[i] > last_bytes) fail_damaged("a value shares more bytes than there are before it");
    last_bytes = prefixes[i] + to[i].length;
    if (width_ > 0 && last_bytes != width_) fail_damaged("a value is not of its column's width");
    if (prefixes[i] > 0) made_bytes += last_bytes;
  }
  const auto made = Buffer::allocate(made_bytes, budget_);
  char* next = made->mutable_as<char>();
  for (int64_t i = 0; i < n; ++i) {
    if (prefixes[i] > 0) {
      std::memcpy(next, last_.data, static_cast<size_t>(prefixes[i]));
      std::memcpy(next + prefixes[i], to[i].data, static_cast<size_t>(to[i].length));
      to[i] = {next, static_cast<int32_t>(prefixes[i] + to[i].length)};
      next += to[i].length;
    }
    last_ = to[i];
  }
  made_ = made;
}

void EncodedBytes::join_streams(int64_t n, StringRef* to) {
  if (n > split_values_ - split_done_) fail_short_page();
  const auto made = Buffer::allocate(n * width_, budget_);
  for (int j = 0; j < width_; ++j) {
    const uint8_t* stream = data_ + j * split_values_ + split_done_;
    for (int64_t i = 0; i < n; ++i) made->mutable_data()[i * width_ + j] = stream[i];
  }
  for (int64_t i = 0; i < n; ++i) to[i] = {made->as<char>() + i * width_, width_};
  split_done_ += n;
  made_ = made;
}

}  // namespace accelerant::io
