#include "io/fail_damaged.h"
#include "io/orc_column_reader.h"
#include "io/orc_streams.h"
#include "types/string_view.h"
#include "types/utf8.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using types::StringView;

namespace {

/// The most bytes of texts in one buffer; a view's offset has 31 bits.
constexpr int64_t kMostHeapBytes = int64_t{1} << 30;

/// Returns the most characters that a field's texts have.
int64_t most_characters(const OrcField& field) {
  return field.kind == OrcKind::Varchar ? field.most_characters : types::kMaxStringBytes;
}

/// Texts one after the other, and their lengths.
class Texts {
 public:
  Texts(OrcBytes bytes, OrcIntegers lengths, int64_t most_characters, std::shared_ptr<memory::Budget> budget)
      : bytes_(std::move(bytes)),
        lengths_(std::move(lengths)),
        most_characters_(most_characters),
        budget_(std::move(budget)) {}

  /// Writes views of the next `n` to `to`, and adds what they point into to `heap`.
  void read(int64_t n, StringView* to, std::vector<memory::BufferPtr>& heap) {
    const auto lengths = Buffer::allocate(n * static_cast<int64_t>(sizeof(int64_t)), budget_);
    auto* length = lengths->mutable_as<int64_t>();
    lengths_.read(n, length);
    for (int64_t done = 0, count; done < n; done += count)
      count = read_some({length + done, length + n}, to + done, heap);
  }

 private:
  /// Reads as many texts as one buffer holds.
  int64_t read_some(std::span<const int64_t> lengths, StringView* to, std::vector<memory::BufferPtr>& heap) {
    int64_t num_bytes = 0;
    size_t count = 0;
    for (; count < lengths.size(); ++count) {
      const int64_t length = lengths[count];
      if (length < 0 || length > types::kMaxStringBytes) fail_damaged("the length of a text is corrupt");
      if (count > 0 && num_bytes + length > kMostHeapBytes) break;
      num_bytes += length;
    }
    if (num_bytes > bytes_.most_left()) fail_damaged("texts are longer than their bytes");
    const auto buffer = Buffer::allocate(num_bytes, budget_);
    bytes_.copy(num_bytes, buffer->mutable_data());
    const char* text = buffer->as<char>();
    const auto number = static_cast<int32_t>(heap.size());
    for (size_t i = 0; i < count; ++i) {
      const types::StringRef ref{text, static_cast<int32_t>(lengths[i])};
      // Java cuts such a text, which no writer makes.
      if (ref.length > most_characters_ && types::count_characters(ref) > most_characters_)
        fail_damaged("a text is longer than its type");
      const auto offset = static_cast<int32_t>(text - buffer->as<char>());
      to[i] =
          ref.length <= StringView::kMaxInlineBytes ? types::inline_view(ref) : types::heap_view(ref, number, offset);
      text += ref.length;
    }
    heap.push_back(buffer);
    return static_cast<int64_t>(count);
  }

  OrcBytes bytes_;
  OrcIntegers lengths_;
  const int64_t most_characters_;
  std::shared_ptr<memory::Budget> budget_;
};

class DirectTextReader final : public OrcColumnReader {
 public:
  DirectTextReader(const OrcField& field, const OrcStripeData& data)
      : type_(field.type),
        presence_(orc_presence(field, data)),
        texts_(data.bytes(field, OrcStreamKind::Data), orc_integers(field, data, OrcStreamKind::Length, false),
               most_characters(field), data.budget()),
        budget_(data.budget()) {}

  ColumnPtr read(int64_t n) override {
    const OrcRows rows = presence_.read(n);
    columns::FlatBuilder builder(type_, type_.physical(), n, budget_);
    std::vector<memory::BufferPtr> heap;
    auto* views = builder.values<StringView>();
    texts_.read(rows.num_values, views, heap);
    rows.spread(views);
    builder.set_heap(std::move(heap));
    if (rows.validity) builder.set_validity(rows.validity);
    return builder.finish();
  }

 private:
  const types::DataType type_;
  OrcPresence presence_;
  Texts texts_;
  const std::shared_ptr<memory::Budget> budget_;
};

class DictionaryTextReader final : public OrcColumnReader {
 public:
  DictionaryTextReader(const OrcField& field, const OrcStripeData& data)
      : type_(field.type),
        presence_(orc_presence(field, data)),
        codes_(orc_integers(field, data, OrcStreamKind::Data, false)),
        budget_(data.budget()) {
    OrcIntegers lengths = orc_integers(field, data, OrcStreamKind::Length, false);
    const uint64_t size = data.encoding(field).dictionary_size;
    if (size > static_cast<uint64_t>(std::min<int64_t>(lengths.most_left(), std::numeric_limits<int32_t>::max()))) {
      fail_damaged("a dictionary is larger than its bytes");
    }
    Texts texts(data.bytes(field, OrcStreamKind::DictionaryData), std::move(lengths), most_characters(field), budget_);
    columns::FlatBuilder builder(type_, type_.physical(), static_cast<int64_t>(size), budget_);
    std::vector<memory::BufferPtr> heap;
    texts.read(static_cast<int64_t>(size), builder.values<StringView>(), heap);
    builder.set_heap(std::move(heap));
    dictionary_ = builder.finish();
  }

  ColumnPtr read(int64_t n) override {
    const OrcRows rows = presence_.read(n);
    if (rows.num_values == 0) return Column::nulls(type_, n, budget_);
    const auto indices = Buffer::allocate(n * static_cast<int64_t>(sizeof(int32_t)), budget_);
    auto* to = indices->mutable_as<int32_t>();
    read_codes(rows.num_values, to);
    rows.spread(to);
    return Column::dictionary(dictionary_, indices, n, rows.validity);
  }

 private:
  void read_codes(int64_t n, int32_t* to) {
    constexpr int64_t kBlock = 1024;
    int64_t block[kBlock];
    const auto size = static_cast<uint64_t>(dictionary_->length());
    for (int64_t count; n > 0; n -= count, to += count) {
      count = std::min(n, kBlock);
      codes_.read(count, block);
      uint64_t largest = 0;
      for (int64_t i = 0; i < count; ++i) {
        largest = std::max(largest, static_cast<uint64_t>(block[i]));
        to[i] = static_cast<int32_t>(block[i]);
      }
      if (largest >= size) fail_damaged("an index is beyond the dictionary");
    }
  }

  const types::DataType type_;
  OrcPresence presence_;
  OrcIntegers codes_;
  const std::shared_ptr<memory::Budget> budget_;
  ColumnPtr dictionary_;
};

}  // namespace

std::unique_ptr<OrcColumnReader> make_orc_text_reader(const OrcField& field, const OrcStripeData& data) {
  if (data.encoding(field).has_dictionary) return std::make_unique<DictionaryTextReader>(field, data);
  return std::make_unique<DirectTextReader>(field, data);
}

}  // namespace accelerant::io
