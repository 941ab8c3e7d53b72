#include "base/error.h"
#include "base/macros.h"
#include "columns/string_heap.h"
#include "io/encoded_bytes.h"
#include "io/fail_damaged.h"
#include "io/value_decoder.h"
#include "memory/budget_ptr.h"
#include "types/integers.h"
#include "types/string_view.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace accelerant::io {

namespace {

using memory::BudgetPtr;
using memory::Buffer;
using parquet::Encoding;
using types::StringRef;
using types::StringView;

/// Steps through a plain page: values of a fixed width, or each after its length.
class PlainBytes {
 public:
  /// @param width 0 for BYTE_ARRAY
  explicit PlainBytes(int width) : width_(width) {}

  void start(const uint8_t* data, int64_t num_bytes) {
    data_ = data;
    end_ = data + num_bytes;
  }

  const char* position() const { return reinterpret_cast<const char*>(data_); }

  ACC_INLINE StringRef next() {
    int64_t length = width_;
    if (width_ == 0) {
      uint32_t stored;
      if (end_ - data_ < static_cast<int64_t>(sizeof stored)) fail_short_page();
      std::memcpy(&stored, data_, sizeof stored);
      data_ += sizeof stored;
      length = stored;
    }
    if (length > end_ - data_) fail_short_page();
    const StringRef value{position(), static_cast<int32_t>(length)};
    data_ += length;
    return value;
  }

 private:
  int width_;
  const uint8_t* data_ = nullptr;
  const uint8_t* end_ = nullptr;
};

ACC_INLINE int64_t load_signed_big_endian(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return static_cast<int64_t>(__builtin_bswap64(word));
}

/// Leaves out leading bytes of a longer big-endian number that only repeat its sign.
StringRef without_sign_bytes(StringRef bytes) {
  const auto byte = [&](int i) { return static_cast<int8_t>(bytes.data[i]); };
  while (bytes.length > kMaxDecimalBytes && byte(0) == (byte(1) < 0 ? -1 : 0)) {
    bytes = {bytes.data + 1, bytes.length - 1};
  }
  return bytes;
}

/// Reads a big-endian two's complement number. May read up to 8 bytes past its end.
ACC_INLINE int128 big_endian(StringRef bytes) {
  if (bytes.length > kMaxDecimalBytes) bytes = without_sign_bytes(bytes);
  if (bytes.length < 1 || bytes.length > kMaxDecimalBytes) {
    throw Error(ErrorKind::Resource, "a decimal has " + std::to_string(bytes.length) + " bytes");
  }
  if (bytes.length <= 8) return load_signed_big_endian(bytes.data) >> (64 - 8 * bytes.length);
  const int64_t high = load_signed_big_endian(bytes.data) >> (128 - 8 * bytes.length);
  const auto low = static_cast<uint64_t>(load_signed_big_endian(bytes.data + bytes.length - 8));
  return static_cast<int128>((static_cast<uint128>(static_cast<int128>(high)) << 64) | low);
}

/// Makes decimals of 64 or 128 bits.
template <class Value>
class DecimalWriter {
 public:
  static constexpr int64_t kValueBytes = sizeof(Value);

  explicit DecimalWriter(const BudgetPtr&) {}

  void write_plain(PlainBytes& page, int64_t n, ValueTarget target) {
    auto* to = reinterpret_cast<Value*>(target.values);
    for (int64_t i = 0; i < n; ++i) to[i] = convert(page.next());
  }

  void write_scattered(const StringRef* values, int64_t count, ValueTarget target) {
    auto* to = reinterpret_cast<Value*>(target.values);
    for (int64_t i = 0; i < count; ++i) to[i] = convert(values[i]);
  }

 private:
  static ACC_INLINE Value convert(StringRef bytes) {
    const int128 value = big_endian(bytes);
    if (value != static_cast<Value>(value)) throw Error(ErrorKind::Resource, "a decimal is out of its type's range");
    return static_cast<Value>(value);
  }
};

/// Loads 12 bytes whatever the length, which a page's padding allows, and clears those past the end.
ACC_INLINE StringView load_inline(StringRef text) {
  uint64_t low;
  uint32_t high;
  std::memcpy(&low, text.data, sizeof low);
  std::memcpy(&high, text.data + sizeof low, sizeof high);
  const int n = text.length;
  low &= n >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * n)) - 1;
  high &= n >= 12 ? ~uint32_t{0} : n <= 8 ? 0 : (uint32_t{1} << (8 * (n - 8))) - 1;
  StringView view;
  view.length = n;
  std::memcpy(view.inlined, &low, sizeof low);
  std::memcpy(view.inlined + sizeof low, &high, sizeof high);
  return view;
}

/// Makes string views and the heap for the long ones.
class ViewWriter {
 public:
  static constexpr int64_t kValueBytes = sizeof(StringView);

  explicit ViewWriter(BudgetPtr budget) : budget_(std::move(budget)) {}

  /// Copies the part of the page that was read in one piece, if long strings lie in it.
  void write_plain(PlainBytes& page, int64_t n, ValueTarget target) {
    auto* to = reinterpret_cast<StringView*>(target.values);
    const char* region = page.position();
    const auto buffer = static_cast<int32_t>(target.heap.size());
    bool has_long = false;
    for (int64_t i = 0; i < n; ++i) {
      const StringRef text = page.next();
      const bool is_long = text.length > StringView::kMaxInlineBytes;
      to[i] = is_long ? types::heap_view(text, buffer, static_cast<int32_t>(text.data - region)) : load_inline(text);
      has_long |= is_long;
    }
    if (!has_long) return;
    auto copy = Buffer::allocate(page.position() - region, budget_);
    std::memcpy(copy->mutable_data(), region, static_cast<size_t>(copy->size_bytes()));
    target.heap.push_back(std::move(copy));
  }

  void write_scattered(const StringRef* values, int64_t count, ValueTarget target) {
    auto* to = reinterpret_cast<StringView*>(target.values);
    int64_t long_bytes = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (values[i].length > StringView::kMaxInlineBytes) long_bytes += values[i].length;
    }
    columns::StringHeap heap(long_bytes, budget_);
    const auto first_buffer = static_cast<int32_t>(target.heap.size());
    for (int64_t i = 0; i < count; ++i) {
      to[i] = heap.add(values[i]);
      if (!to[i].is_inline()) to[i].ref.buffer += first_buffer;
    }
    for (auto& buffer : heap.finish()) target.heap.push_back(std::move(buffer));
  }

 private:
  BudgetPtr budget_;
};

/// Byte arrays, of a fixed width or not.
template <class Writer>
class BytesDecoder final : public ValueDecoder {
 public:
  BytesDecoder(int width, const BudgetPtr& budget)
      : width_(width), plain_(width), encoded_(width, budget), writer_(budget) {}

  void start_page(Encoding::type encoding, const uint8_t* data, int64_t num_bytes) override {
    is_plain_ = encoding == Encoding::PLAIN;
    plain_.start(data, num_bytes);
    if (!is_plain_) encoded_.start(encoding, data, num_bytes);
  }

  void read(int64_t n, ValueTarget target) override {
    if (is_plain_) return writer_.write_plain(plain_, n, target);
    StringRef values[EncodedBytes::kBlock];
    for (int64_t count; n > 0; n -= count) {
      count = std::min(n, EncodedBytes::kBlock);
      encoded_.read(count, values);
      writer_.write_scattered(values, count, target);
      target.values += count * Writer::kValueBytes;
    }
  }

  void read_at(std::span<const int32_t> positions, int64_t n, ValueTarget target) override {
    StringRef values[EncodedBytes::kBlock];
    StringRef chosen[EncodedBytes::kBlock];
    auto next = positions.begin();
    for (int64_t done = 0, count; done < n; done += count) {
      count = std::min(n - done, EncodedBytes::kBlock);
      read_block(count, values);
      int64_t num_chosen = 0;
      for (; next != positions.end() && *next < done + count; ++next) chosen[num_chosen++] = values[*next - done];
      if (num_chosen > 0) writer_.write_scattered(chosen, num_chosen, target);
      target.values += num_chosen * Writer::kValueBytes;
    }
  }

  void skip(int64_t n) override {
    if (!is_plain_) return encoded_.skip(n);
    for (int64_t i = 0; i < n; ++i) plain_.next();
  }

  int64_t least_plain_bytes(int64_t n) const override { return n * (width_ > 0 ? width_ : 4); }

 private:
  void read_block(int64_t n, StringRef* to) {
    if (!is_plain_) return encoded_.read(n, to);
    for (int64_t i = 0; i < n; ++i) to[i] = plain_.next();
  }

  const int width_;
  PlainBytes plain_;
  EncodedBytes encoded_;
  Writer writer_;
  bool is_plain_ = true;
};

}  // namespace

std::unique_ptr<ValueDecoder> make_bytes_decoder(const FileColumn& column, const BudgetPtr& budget) {
  switch (column.kind) {
    case ValueKind::Bytes:
    case ValueKind::FixedBytes:
      return std::make_unique<BytesDecoder<ViewWriter>>(column.stored_bytes, budget);
    case ValueKind::FixedBytesToInt64:
      return std::make_unique<BytesDecoder<DecimalWriter<int64_t>>>(column.stored_bytes, budget);
    case ValueKind::BytesToInt128:
    case ValueKind::FixedBytesToInt128:
      return std::make_unique<BytesDecoder<DecimalWriter<int128>>>(column.stored_bytes, budget);
    case ValueKind::Boolean:
    case ValueKind::Int32ToInt8:
    case ValueKind::Int32ToInt16:
    case ValueKind::Int32ToInt32:
    case ValueKind::Int32ToInt64:
    case ValueKind::Int32ToInt128:
    case ValueKind::Int32ToDouble:
    case ValueKind::UInt32ToInt64:
    case ValueKind::Int64ToInt64:
    case ValueKind::Int64ToInt128:
    case ValueKind::Int64MillisToMicros:
    case ValueKind::UInt64ToInt128:
    case ValueKind::Int96ToMicros:
    case ValueKind::Float:
    case ValueKind::FloatToDouble:
    case ValueKind::Double:
      break;
  }
  ACC_CHECK(!"a kind without a decoder");
  return nullptr;
}

}  // namespace accelerant::io
