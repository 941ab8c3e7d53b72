#include "device/page_batch.h"

#include "device/primitives/expand_deltas.h"
#include "device/primitives/expand_runs.h"

#include <algorithm>
#include <utility>

namespace accelerant::device {

namespace {

/// Bodies and chunks begin at multiples of this, and may be read up to the next one.
constexpr int64_t kWordBytes = 8;

/// Returns the bytes that the compressed pages of a column stand for.
int64_t decompressed_bytes(const EncodedColumn& column) {
  int64_t bytes = 0;
  const auto add = [&bytes](const EncodedPage& page) {
    if (page.is_compressed) bytes += whole_words(page.body_bytes);
  };
  if (column.dictionary) add(*column.dictionary);
  std::ranges::for_each(column.pages, add);
  return bytes;
}

/// Returns the bytes of a batch's chunks, and of what they stand for.
int64_t stored_and_decompressed_bytes(const EncodedBatch& batch) {
  int64_t bytes = kWordBytes;
  for (const EncodedColumn& column : batch.columns) bytes += whole_words(column.num_bytes) + decompressed_bytes(column);
  return bytes;
}

}  // namespace

MemoryBound PageBatch::bound(const EncodedBatch& batch) {
  int64_t num_pages = 0;
  for (const EncodedColumn& column : batch.columns) num_pages += std::ssize(column.pages) + (column.dictionary ? 1 : 0);
  MemoryBound bound;
  bound.add(stored_and_decompressed_bytes(batch));
  bound.add(num_pages, (kSteps + 1) * sizeof(PageStatus));
  bound.add(num_pages, sizeof(SnappyBlock));
  bound.add(num_pages, sizeof(PageBody));
  const PageStreams streams = {};
  bound.add(num_pages, sizeof *streams.levels);
  bound.add(num_pages, sizeof *streams.values);
  bound.add(num_pages, sizeof *streams.booleans);
  bound.add(num_pages, sizeof *streams.indices);
  bound.add(num_pages, sizeof *streams.deltas);
  bound.add(num_pages, sizeof *streams.strings);
  bound.add(num_pages, sizeof *streams.placed);
  return bound;
}

PageBatch::PageBatch(DeviceStream& stream, const EncodedBatch& batch) : stream_(stream), batch_(batch) {
  for (const EncodedColumn& column : batch.columns) {
    column_begins_.push_back(next_body_);
    next_body_ += whole_words(column.num_bytes);
  }
  bytes_ = DeviceBuffer(stream_, stored_and_decompressed_bytes(batch));
}

void PageBatch::copy_bytes() {
  for (size_t i = 0; i < batch_.columns.size(); ++i) {
    const EncodedColumn& column = batch_.columns[i];
    if (column.num_bytes == 0) continue;
    stream_.copy_to_device(bytes_.as<uint8_t>() + column_begins_[i], column.bytes->data() + column.offset,
                           column.num_bytes);
  }
}

template <class T>
T* PageBatch::make(int64_t n) {
  return buffers_.emplace_back(stream_, std::max<int64_t>(n, 1) * static_cast<int64_t>(sizeof(T))).template as<T>();
}

template <class T>
T* PageBatch::put(const std::vector<T>& values) {
  T* to = make<T>(static_cast<int64_t>(values.size()));
  if (!values.empty()) stream_.copy_to_device(to, values.data(), static_cast<int64_t>(values.size() * sizeof(T)));
  return to;
}

void PageBatch::add(size_t column, const EncodedPage& page, PageBody to) {
  auto* const bytes = bytes_.as<uint8_t>();
  const uint8_t* const apart = bytes + column_begins_[column] + page.offset;
  const uint8_t* const stored = apart + page.level_bytes;
  to.levels = {apart, page.level_bytes};
  to.levels_in_body = page.levels_in_body;
  to.encoding = page.encoding;
  to.num_rows = page.num_rows;
  to.body = {stored, page.stored_bytes};
  if (page.is_compressed) {
    uint8_t* const body = bytes + next_body_;
    next_body_ += whole_words(page.body_bytes);
    blocks_.push_back({stored, page.stored_bytes, body, page.body_bytes});
    to.body = {body, page.body_bytes};
  }
  pages_.push_back(to);
}

void PageBatch::expand() {
  copy_bytes();
  const auto num_blocks = static_cast<int64_t>(blocks_.size());
  const int64_t num_statuses = kSteps * num_pages() + num_blocks;
  statuses_ = make<PageStatus>(num_statuses);
  stream_.fill(statuses_, 0, std::max<int64_t>(num_statuses, 1) * static_cast<int64_t>(sizeof(PageStatus)));
  decompress_snappy(stream_, put(blocks_), num_blocks, statuses_ + kSteps * num_pages());
  make_streams();
  const PageBody* pages = put(pages_);
  find_levels(stream_, pages, num_pages(), streams_, statuses(kFindLevels));
  expand_runs(stream_, 1, streams_.levels, num_pages(), statuses(kExpandLevels));
  find_values(stream_, pages, num_pages(), streams_, statuses(kFindValues));
  expand_runs(stream_, 1, streams_.booleans, num_pages(), statuses(kExpandBooleans));
  expand_runs(stream_, sizeof(uint32_t), streams_.indices, num_pages(), statuses(kExpandIndices));
  for (int64_t first = 0, end; first < num_pages(); first = end) {
    const PageBody& page = pages_[static_cast<size_t>(first)];
    for (end = first + 1; end < num_pages(); ++end) {
      const PageBody& next = pages_[static_cast<size_t>(end)];
      if (next.encoding != page.encoding || next.value_bytes != page.value_bytes) break;
    }
    expand_others(first, end - first);
  }
}

/// Makes streams of nothing, which a page keeps that it has none of.
void PageBatch::make_streams() {
  const auto make_empty = [this]<class T>(T*& to) {
    to = make<T>(num_pages());
    stream_.fill(to, 0, std::max<int64_t>(num_pages(), 1) * static_cast<int64_t>(sizeof(T)));
  };
  make_empty(streams_.levels);
  make_empty(streams_.values);
  make_empty(streams_.booleans);
  make_empty(streams_.indices);
  make_empty(streams_.deltas);
  make_empty(streams_.strings);
  make_empty(streams_.placed);
}

/// Expands pages of one encoding by what can't be asked for nothing.
void PageBatch::expand_others(int64_t first, int64_t num_pages) {
  const PageBody& page = pages_[static_cast<size_t>(first)];
  PageStatus* const found = statuses(kExpandOthers) + first;
  if (page.encoding == PageEncoding::Deltas) {
    expand_deltas(stream_, page.value_bytes, streams_.deltas + first, num_pages, found);
  } else if (page.encoding == PageEncoding::PlainStrings) {
    find_strings(stream_, streams_.strings + first, num_pages, found);
  }
}

ValuePages PageBatch::placed(int64_t first, int64_t num_pages) const {
  return {streams_.placed + first, num_pages, statuses(kPlace) + first};
}

void PageBatch::fetch_statuses() {
  found_.resize(static_cast<size_t>(kSteps * num_pages()) + blocks_.size());
  if (found_.empty()) return;
  stream_.copy_to_host(found_.data(), statuses_, static_cast<int64_t>(found_.size() * sizeof(PageStatus)));
}

bool PageBatch::is_sound() const {
  return std::ranges::all_of(found_, [](PageStatus status) { return status == PageStatus::Sound; });
}

}  // namespace accelerant::device
