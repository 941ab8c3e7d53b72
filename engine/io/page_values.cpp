#include "io/page_values.h"

#include "base/error.h"
#include "io/fail_damaged.h"
#include "io/value_placement.h"
#include "types/string_view.h"

#include <algorithm>
#include <string>
#include <utility>

namespace accelerant::io {

using types::PhysicalType;
using types::StringView;

namespace {

/// Codes are decoded and looked up in blocks that stay in the first-level cache.
constexpr int64_t kCodeBlock = 1024;

/// Returns a page's encoding; Spark says itself what it makes of one that the format does not have.
parquet::Encoding::type encoding_of(const PageHeader& header) {
  if (header.encoding < parquet::Encoding::PLAIN || header.encoding > parquet::Encoding::BYTE_STREAM_SPLIT) {
    throw_unsupported("Parquet encoding " + std::to_string(header.encoding));
  }
  return static_cast<parquet::Encoding::type>(header.encoding);
}

}  // namespace

PageValues::PageValues(const FileColumn& column, const std::shared_ptr<memory::Budget>& budget)
    : column_(column),
      budget_(budget),
      decoder_(make_value_decoder(column, budget)),
      width_(types::width_of(column.physical())) {}

void PageValues::read_dictionary(const PageHeader& header, PageReader& pages) {
  const int64_t n = header.num_values;
  const auto encoding = encoding_of(header);
  if (dictionary_) fail_damaged("a column chunk has two dictionaries");
  if (encoding != parquet::Encoding::PLAIN && encoding != parquet::Encoding::PLAIN_DICTIONARY)
    fail_damaged("the dictionary's encoding");
  const PageBody page = pages.body();
  if (decoder_->least_plain_bytes(n) > page.num_bytes) fail_short_page();
  columns::FlatBuilder builder(column_.type, column_.physical(), n, budget_);
  std::vector<memory::BufferPtr> heap;
  decoder_->start_page(parquet::Encoding::PLAIN, page.data, page.num_bytes);
  decoder_->read(n, {builder.values<uint8_t>(), heap});
  builder.set_heap(std::move(heap));
  dictionary_ = builder.finish();
}

void PageValues::start_page(const PageHeader& header, const uint8_t* values, int64_t num_bytes) {
  const auto encoding = encoding_of(header);
  is_coded_ = encoding == parquet::Encoding::RLE_DICTIONARY || encoding == parquet::Encoding::PLAIN_DICTIONARY;
  if (!is_coded_) {
    // A page of nulls and empty lists may lack what its encoding begins with.
    decoder_->start_page(num_bytes > 0 ? encoding : parquet::Encoding::PLAIN, values, num_bytes);
  } else if (!dictionary_) {
    fail_damaged("a page needs a dictionary that is missing");
  } else if (num_bytes > 0) {
    codes_.reset(values + 1, num_bytes - 1, *values);
  } else {
    codes_.reset(values, 0, 0);  // right if the page has nulls only
  }
}

void PageValues::read(int64_t n, ValueTarget target) {
  if (!is_coded_) return decoder_->read(n, target);
  uint32_t codes[kCodeBlock];
  for (int64_t done = 0; done < n; done += kCodeBlock) {
    const int64_t count = std::min(n - done, kCodeBlock);
    read_codes(count, codes);
    look_up(codes, count, target.values + done * width_);
  }
  add_dictionary_heap(n, target.values, target.heap);
}

void PageValues::read_at(std::span<const int32_t> positions, int64_t n, ValueTarget target) {
  if (!is_coded_) return decoder_->read_at(positions, n, target);
  uint8_t* to = target.values;
  for_each_chosen(positions, n, [&](const uint32_t* codes, int64_t count) {
    look_up(codes, count, to);
    to += count * width_;
  });
  add_dictionary_heap(static_cast<int64_t>(positions.size()), target.values, target.heap);
}

void PageValues::read_codes(int64_t n, uint32_t* to) {
  codes_.read(n, to);
  check_codes(to, n);
}

void PageValues::read_codes_at(std::span<const int32_t> positions, int64_t n, uint32_t* to) {
  for_each_chosen(positions, n, [&](const uint32_t* codes, int64_t count) { to = std::copy_n(codes, count, to); });
}

void PageValues::skip(int64_t n) { is_coded_ ? codes_.skip(n) : decoder_->skip(n); }

void PageValues::look_up(const uint32_t* codes, int64_t n, uint8_t* to) const {
  look_up_width(width_, dictionary_->parts().values->data(), codes, n, to);
}

/// Gives the codes at `positions` among the next `n`, a block at a time.
template <class Take>
void PageValues::for_each_chosen(std::span<const int32_t> positions, int64_t n, Take take) {
  uint32_t codes[kCodeBlock];
  uint32_t chosen[kCodeBlock];
  auto next = positions.begin();
  for (int64_t done = 0, count; done < n; done += count) {
    count = std::min(n - done, kCodeBlock);
    if (next == positions.end() || *next >= done + count) {
      codes_.skip(count);
      continue;
    }
    codes_.read(count, codes);
    int64_t num_chosen = 0;
    for (; next != positions.end() && *next < done + count; ++next) chosen[num_chosen++] = codes[*next - done];
    check_codes(chosen, num_chosen);
    take(chosen, num_chosen);
  }
}

void PageValues::check_codes(const uint32_t* codes, int64_t n) const {
  if (n > 0 && largest(codes, n) >= static_cast<uint64_t>(dictionary_->length())) {
    fail_damaged("an index is beyond the dictionary");
  }
}

/// Views of the dictionary's long strings, just copied, get buffers of the column.
void PageValues::add_dictionary_heap(int64_t n, uint8_t* to, std::vector<memory::BufferPtr>& heap) const {
  if (column_.physical() != PhysicalType::String || dictionary_->heap().empty()) return;
  const auto first_buffer = static_cast<int32_t>(heap.size());
  auto* views = reinterpret_cast<StringView*>(to);
  for (int64_t i = 0; i < n; ++i) {
    if (!views[i].is_inline()) views[i].ref.buffer += first_buffer;
  }
  heap.insert(heap.end(), dictionary_->heap().begin(), dictionary_->heap().end());
}

}  // namespace accelerant::io
