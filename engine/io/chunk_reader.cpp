#include "io/chunk_reader.h"

#include "base/error.h"
#include "io/value_placement.h"
#include "types/string_view.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using types::PhysicalType;
using types::StringView;

namespace {

/// Indices are decoded and looked up in blocks that stay in the first-level cache.
constexpr int64_t kBlock = 1024;

[[noreturn]] void fail(const char* what) { throw Error(ErrorKind::Resource, what); }

/// Returns a page's encoding; Spark says itself what it makes of one that the format does not have.
parquet::Encoding::type encoding_of(const PageHeader& header) {
  if (header.encoding < parquet::Encoding::PLAIN || header.encoding > parquet::Encoding::BYTE_STREAM_SPLIT) {
    throw_unsupported("Parquet encoding " + std::to_string(header.encoding));
  }
  return static_cast<parquet::Encoding::type>(header.encoding);
}

bool is_coded(parquet::Encoding::type encoding) {
  return encoding == parquet::Encoding::RLE_DICTIONARY || encoding == parquet::Encoding::PLAIN_DICTIONARY;
}

}  // namespace

/// A batch's column under construction: codes of the dictionary, or values.
struct ChunkReader::Output {
  int64_t num_rows;
  int64_t done = 0;
  bool is_coded = false;
  std::shared_ptr<Buffer> values;
  std::shared_ptr<Buffer> validity;  ///< made with the first null
  std::vector<memory::BufferPtr> heap;

  int width(const FileColumn& column) const {
    return is_coded ? static_cast<int>(sizeof(int32_t)) : types::width_of(column.physical());
  }
};

ChunkReader::ChunkReader(ChunkSource source, std::shared_ptr<memory::Budget> budget)
    : source_(std::move(source)),
      budget_(std::move(budget)),
      pages_(source_.bytes->data() + source_.offset, source_.num_bytes, source_.codec, source_.always_compressed,
             budget_),
      values_(make_value_decoder(*source_.column, budget_)) {}

/// Goes to the next page that has rows to read; of whole pages that are to be skipped only the headers are read.
void ChunkReader::next_page() {
  page_left_ = 0;
  while (page_left_ == 0) {
    if (pass_gap()) continue;
    const PageHeader& header = pages_.next();
    if (header.is_data()) next_row_ += header.num_values;
    if (header.type == PageHeader::kDictionary) {
      read_dictionary(header);
    } else if (header.is_data() && header.num_values <= pending_skip_) {
      pending_skip_ -= header.num_values;
    } else if (header.is_data()) {
      start_data_page(header);
    }
  }
}

/// Passes over rows whose pages are not there, if they come next.
bool ChunkReader::pass_gap() {
  if (next_gap_ == source_.gaps.size() || source_.gaps[next_gap_].first > next_row_) return false;
  const RowRange gap = source_.gaps[next_gap_++];
  const int64_t n = gap.end - gap.first;
  if (gap.first != next_row_ || n > pending_skip_) fail("its rows are not those that the file's index says");
  pending_skip_ -= n;
  next_row_ = gap.end;
  return true;
}

void ChunkReader::read_dictionary(const PageHeader& header) {
  const int64_t n = header.num_values;
  const auto encoding = encoding_of(header);
  if (dictionary_) fail("a column chunk has two dictionaries");
  if (encoding != parquet::Encoding::PLAIN && encoding != parquet::Encoding::PLAIN_DICTIONARY)
    fail("the dictionary's encoding");
  const PageBody page = pages_.body();
  if (values_->least_plain_bytes(n) > page.num_bytes) fail("a page holds fewer values than it says");
  const FileColumn& column = *source_.column;
  columns::FlatBuilder builder(column.type, column.physical(), n, budget_);
  std::vector<memory::BufferPtr> heap;
  values_->start_page(parquet::Encoding::PLAIN, page.data, page.num_bytes);
  values_->read(n, {builder.values<uint8_t>(), heap});
  builder.set_heap(std::move(heap));
  dictionary_ = builder.finish();
  keeps_codes_ = n > 0 && (column.physical() == PhysicalType::String || n <= kMaxNumericDictionary);
}

void ChunkReader::start_data_page(const PageHeader& header) {
  PageBody page = pages_.body();
  start_levels(header, page);
  const auto encoding = encoding_of(header);
  page_is_coded_ = is_coded(encoding);
  page_left_ = header.num_values;
  if (!page_is_coded_) {
    values_->start_page(encoding, page.data, page.num_bytes);
  } else if (!dictionary_) {
    fail("a page needs a dictionary that is missing");
  } else if (page.num_bytes > 0) {
    indices_.reset(page.data + 1, page.num_bytes - 1, *page.data);
  } else {
    indices_.reset(page.data, 0, 0);  // right if every row is null
  }
}

/// Finds the definition levels and leaves the values in `page`.
void ChunkReader::start_levels(const PageHeader& header, PageBody& page) {
  if (header.type == PageHeader::kDataV2) return levels_.reset(page.definition_levels, page.definition_bytes);
  if (!source_.column->is_optional) return;
  if (header.level_encoding == parquet::Encoding::BIT_PACKED) throw_unsupported("bit-packed definition levels");
  if (header.level_encoding != parquet::Encoding::RLE) fail("definition levels that are not run-length encoded");
  uint32_t level_bytes;
  const auto length_bytes = static_cast<int64_t>(sizeof level_bytes);
  if (page.num_bytes < length_bytes) fail("corrupt definition levels");
  std::memcpy(&level_bytes, page.data, sizeof level_bytes);
  if (level_bytes > page.num_bytes - length_bytes) fail("corrupt definition levels");
  levels_.reset(page.data + length_bytes, level_bytes);
  page.data += length_bytes + level_bytes;
  page.num_bytes -= length_bytes + level_bytes;
}

void ChunkReader::apply_skip() {
  while (pending_skip_ > 0) {
    if (page_left_ == 0) {
      next_page();
      continue;
    }
    const int64_t n = std::min(pending_skip_, page_left_);
    pending_skip_ -= n;
    page_left_ -= n;
    if (page_left_ == 0) continue;
    const int64_t num_values = source_.column->is_optional ? levels_.skip(n) : n;
    if (page_is_coded_) {
      indices_.skip(num_values);
    } else {
      values_->skip(num_values);
    }
  }
}

template <class Read>
ColumnPtr ChunkReader::name_page(Read read_some) {
  try {
    return read_some();
  } catch (Error& error) {
    error.with_context("page " + std::to_string(pages_.page_number()));
    throw;
  }
}

ColumnPtr ChunkReader::dictionary() {
  return name_page([&] {
    const PageHeader& header = pages_.next();
    if (header.type == PageHeader::kDictionary) read_dictionary(header);
    return dictionary_;
  });
}

ColumnPtr ChunkReader::read(int64_t n) {
  return name_page([&] { return read_rows(n); });
}

ColumnPtr ChunkReader::read_at(std::span<const int32_t> rows, int64_t n) {
  return name_page([&] { return read_rows_at(rows, n); });
}

ColumnPtr ChunkReader::read_rows(int64_t n) {
  apply_skip();
  Output out{n, 0, false, nullptr, nullptr, {}};
  while (out.done < n) {
    if (page_left_ == 0) next_page();
    start_output(out);
    const int64_t count = std::min(n - out.done, page_left_);
    read_segment(count, out);
    out.done += count;
    page_left_ -= count;
  }
  return finish(out);
}

/// Decides with the first page how values are held.
void ChunkReader::start_output(Output& out) {
  if (out.values) return;
  out.is_coded = page_is_coded_ && keeps_codes_;
  out.values = Buffer::allocate(out.num_rows * out.width(*source_.column), budget_);
}

/// Reads rows of the current page; nulls get their places after the values were read.
void ChunkReader::read_segment(int64_t n, Output& out) {
  if (out.is_coded && !page_is_coded_) leave_codes(out);
  const FileColumn& column = *source_.column;
  const int64_t num_values = column.is_optional ? read_levels(n, out) : n;
  uint8_t* to = out.values->mutable_data() + out.done * out.width(column);
  if (!page_is_coded_) {
    values_->read(num_values, {to, out.heap});
  } else if (out.is_coded) {
    read_indices(num_values, reinterpret_cast<uint32_t*>(to));
  } else {
    read_coded_as_values(num_values, out);
  }
  if (num_values < n) spread_width(out.width(column), to, out.validity->data(), out.done, n, num_values);
}

int64_t ChunkReader::read_levels(int64_t n, Output& out) {
  if (!out.validity) {
    if (levels_.skip_if_all_valid(n)) return n;
    out.validity = Buffer::allocate_zeroed(bits::bytes_for(out.num_rows), budget_);
    bits::fill(out.validity->mutable_data(), out.done, true);
  }
  return levels_.read(n, out.validity->mutable_data(), out.done);
}

void ChunkReader::read_indices(int64_t n, uint32_t* to) {
  indices_.read(n, to);
  check_indices(to, n);
}

void ChunkReader::check_indices(const uint32_t* indices, int64_t n) const {
  if (n > 0 && largest(indices, n) >= static_cast<uint64_t>(dictionary_->length())) {
    fail("an index is beyond the dictionary");
  }
}

void ChunkReader::read_coded_as_values(int64_t n, Output& out) {
  const bool is_string = source_.column->physical() == PhysicalType::String;
  const int width = out.width(*source_.column);
  uint8_t* to = out.values->mutable_data() + out.done * width;
  uint32_t index[kBlock];
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t count = std::min(n - done, kBlock);
    read_indices(count, index);
    look_up_width(width, dictionary_->parts().values->data(), index, count, to + done * width);
  }
  if (is_string) add_dictionary_heap(n, to, out);
}

/// Views of the dictionary's long strings, just copied, get buffers of the column.
void ChunkReader::add_dictionary_heap(int64_t n, uint8_t* to, Output& out) const {
  if (dictionary_->heap().empty()) return;
  const auto first_buffer = static_cast<int32_t>(out.heap.size());
  auto* views = reinterpret_cast<StringView*>(to);
  for (int64_t i = 0; i < n; ++i) {
    if (!views[i].is_inline()) views[i].ref.buffer += first_buffer;
  }
  out.heap.insert(out.heap.end(), dictionary_->heap().begin(), dictionary_->heap().end());
}

ColumnPtr ChunkReader::read_rows_at(std::span<const int32_t> rows, int64_t n) {
  apply_skip();
  Output out{static_cast<int64_t>(rows.size()), 0, false, nullptr, nullptr, {}};
  int64_t passed = 0;
  while (!rows.empty()) {
    if (const int64_t gap = rows[0] - passed; gap >= page_left_) {
      pending_skip_ = gap;
      passed = rows[0];
      apply_skip();
      if (page_left_ == 0) next_page();
    }
    start_output(out);
    const int64_t count = std::min(n - passed, page_left_);
    const auto last = std::lower_bound(rows.begin(), rows.end(), passed + count);
    const auto here = rows.first(static_cast<size_t>(last - rows.begin()));
    positions_.resize(here.size());
    std::transform(here.begin(), here.end(), positions_.begin(),
                   [&](int32_t row) { return row - static_cast<int32_t>(passed); });
    read_segment_at(count, out);
    out.done += static_cast<int64_t>(here.size());
    rows = rows.subspan(here.size());
    passed += count;
    page_left_ -= count;
  }
  pending_skip_ = n - passed;
  return finish(out);
}

/// Reads those of the next `n` rows of the current page that are at `positions_`.
void ChunkReader::read_segment_at(int64_t n, Output& out) {
  if (out.is_coded && !page_is_coded_) leave_codes(out);
  const auto num_rows = static_cast<int64_t>(positions_.size());
  const int64_t num_values = source_.column->is_optional ? find_values(n, out) : n;
  const auto num_found = static_cast<int64_t>(positions_.size());
  const int width = out.width(*source_.column);
  uint8_t* to = out.values->mutable_data() + out.done * width;
  if (page_is_coded_) {
    read_coded_at(num_values, to, out);
  } else {
    values_->read_at(positions_, num_values, {to, out.heap});
  }
  if (num_found < num_rows) spread_width(width, to, out.validity->data(), out.done, num_rows, num_found);
}

/// Turns `positions_` from those of rows into those of values, without the nulls, and notes which rows are null.
/// Returns the number of values among the next `n` rows.
int64_t ChunkReader::find_values(int64_t n, Output& out) {
  if (levels_.skip_if_all_valid(n)) {
    if (out.validity) set_bits(out.validity->mutable_data(), out.done, static_cast<int64_t>(positions_.size()));
    return n;
  }
  const auto levels = Buffer::allocate_zeroed(bits::bytes_for(n), budget_);
  const int64_t num_values = levels_.read(n, levels->mutable_data(), 0);
  if (!out.validity) {
    out.validity = Buffer::allocate_zeroed(bits::bytes_for(out.num_rows), budget_);
    bits::fill(out.validity->mutable_data(), out.done, true);
  }
  int64_t row = 0;
  int64_t values_before = 0;
  int64_t out_row = out.done;
  size_t num_found = 0;
  for (const int32_t position : positions_) {
    values_before += bits::count(levels->data(), row, position - row);
    row = position;
    if (bits::get(levels->data(), row)) {
      positions_[num_found++] = static_cast<int32_t>(values_before);
      bits::set(out.validity->mutable_data(), out_row);
    }
    ++out_row;
  }
  positions_.resize(num_found);
  return num_values;
}

/// Reads the codes, or what they stand for, at `positions_` among the next `n`.
void ChunkReader::read_coded_at(int64_t n, uint8_t* to, Output& out) {
  const int width = out.width(*source_.column);
  uint32_t index[kBlock];
  uint32_t chosen[kBlock];
  auto next = positions_.begin();
  uint8_t* const start = to;
  for (int64_t done = 0, count; done < n; done += count) {
    count = std::min(n - done, kBlock);
    if (next == positions_.end() || *next >= done + count) {
      indices_.skip(count);
      continue;
    }
    indices_.read(count, index);
    int64_t num_chosen = 0;
    for (; next != positions_.end() && *next < done + count; ++next) chosen[num_chosen++] = index[*next - done];
    check_indices(chosen, num_chosen);
    if (out.is_coded) {
      std::memcpy(to, chosen, static_cast<size_t>(num_chosen * width));
    } else {
      look_up_width(width, dictionary_->parts().values->data(), chosen, num_chosen, to);
    }
    to += num_chosen * width;
  }
  const bool is_string = source_.column->physical() == PhysicalType::String;
  if (!out.is_coded && is_string) add_dictionary_heap((to - start) / width, start, out);
}

/// A page of the batch has no codes: those read so far become values.
void ChunkReader::leave_codes(Output& out) {
  const auto codes = std::exchange(out.values, nullptr);
  out.is_coded = false;
  const int width = out.width(*source_.column);
  out.values = Buffer::allocate(out.num_rows * width, budget_);
  look_up_width(width, dictionary_->parts().values->data(), codes->as<uint32_t>(), out.done,
                out.values->mutable_data());
  out.heap = dictionary_->heap();
}

ColumnPtr ChunkReader::finish(Output& out) const {
  if (out.is_coded)
    return Column::dictionary(dictionary_, std::move(out.values), out.num_rows, std::move(out.validity));
  const FileColumn& column = *source_.column;
  return Column::flat({column.type,
                       column.physical(),
                       out.num_rows,
                       0,
                       std::move(out.values),
                       std::move(out.validity),
                       std::move(out.heap),
                       {}});
}

}  // namespace accelerant::io
