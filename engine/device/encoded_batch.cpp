#include "device/encoded_batch.h"

#include "base/error.h"
#include "device/page_batch.h"
#include "device/primitives/exclusive_scan.h"
#include "device/primitives/gather.h"
#include "device/primitives/gather_strings.h"
#include "device/stream_guard.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace accelerant::device {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

constexpr int32_t kCodeBytes = sizeof(uint32_t);

/// A column that is being decoded.
struct Target {
  DeviceColumn made;
  int32_t width = 0;  ///< of its values; of codes where it has strings
  uint8_t* values = nullptr;
  uint8_t* levels = nullptr;    ///< null: all rows have values
  uint8_t* entries = nullptr;   ///< of the dictionary, where they are not strings
  uint8_t* expanded = nullptr;  ///< of the dictionary's rows, then of the column's
  int32_t expanded_bytes = 0;   ///< a row
  int64_t num_entries = 0;
  StringTable strings = {};  ///< of Strings: those of the dictionary, then one a row
  int64_t num_bytes = 0;     ///< of Strings, when they were counted

  bool has_strings() const { return made.layout == ColumnLayout::Strings; }
  int64_t num_strings(int64_t num_rows) const { return num_entries + num_rows; }
};

/// Returns the bytes that a value of a page takes which is expanded before it is placed; 0: it is placed as it is.
int32_t expanded_bytes(const EncodedColumn& column, PageEncoding encoding) {
  switch (encoding) {
    case PageEncoding::Plain:
      return 0;
    case PageEncoding::Deltas:
      return column.value_bytes;
    case PageEncoding::Runs:
      return 1;
    case PageEncoding::PlainStrings:
    case PageEncoding::Dictionary:
      break;
  }
  return kCodeBytes;
}

/// Returns the most that values of any of a column's pages take so.
int32_t most_expanded_bytes(const EncodedColumn& column) {
  int32_t most = column.dictionary ? expanded_bytes(column, column.dictionary->encoding) : 0;
  for (const EncodedPage& page : column.pages) most = std::max(most, expanded_bytes(column, page.encoding));
  return most;
}

/// Returns a column of one row over entries.
ColumnPtr one_code(const ColumnPtr& entries, const std::shared_ptr<memory::Budget>& budget) {
  return Column::dictionary(entries, Buffer::allocate_zeroed(kCodeBytes, budget), 1);
}

/// Pages that follow one another, of a column and an encoding.
struct PageRun {
  size_t column;
  PageEncoding encoding;
  bool is_dictionary;
  int64_t first;
  int64_t num_pages;
};

/// Decodes one batch.
class BatchDecoder {
 public:
  BatchDecoder(DeviceStream& stream, const EncodedBatch& batch, const std::shared_ptr<memory::Budget>& budget)
      : stream_(stream), batch_(batch), budget_(budget), pages_(stream, batch), targets_(batch.columns.size()) {
    ACC_CHECK(batch.num_rows < std::numeric_limits<int32_t>::max());
  }

  /// Does all but to gather strings; false where something is wrong with a page.
  bool run() {
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (!batch_.columns[i].decoded) start(i);
    }
    pages_.expand();
    for (const PageRun& run : runs_) place(run);
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (!batch_.columns[i].decoded) complete(i);
    }
    upload_decoded();
    pages_.fetch_statuses();
    stream_.synchronize();
    return pages_.is_sound();
  }

  /// Returns what `finish` allocates.
  MemoryBound strings_bound() const {
    MemoryBound bound;
    for (const Target& target : targets_) {
      if (!target.has_strings() || target.strings.base == nullptr) continue;
      bound.add(whole_words(target.num_bytes));
      bound.add(gather_strings_workspace_bytes(target.num_bytes));
    }
    return bound;
  }

  /// Waits for strings that are gathered: who takes the batch to another stream finds it whole.
  DeviceBatch finish() {
    DeviceBatch made;
    made.num_rows = batch_.num_rows;
    bool gathers = false;
    for (Target& target : targets_) {
      if (target.has_strings() && target.strings.base != nullptr) {
        gather_bytes(target);
        gathers = true;
      }
      made.columns.push_back(std::move(target.made));
    }
    if (gathers) stream_.synchronize();
    return made;
  }

 private:
  std::shared_ptr<DeviceBuffer> buffer(int64_t bytes) {
    return std::make_shared<DeviceBuffer>(stream_, std::max<int64_t>(bytes, 1));
  }
  template <class T>
  T* make(int64_t n) {
    temporary_.push_back(buffer(std::max<int64_t>(n, 1) * static_cast<int64_t>(sizeof(T))));
    return temporary_.back()->as<T>();
  }

  void start(size_t i) {
    const EncodedColumn& from = batch_.columns[i];
    Target& to = targets_[i];
    const int64_t n = batch_.num_rows;
    to.made.type = from.type;
    to.made.physical = from.type.physical();
    to.made.layout = layout_of(from);
    to.width = from.kind == StoredKind::Strings ? kCodeBytes : types::width_of(to.made.physical);
    to.num_entries = from.dictionary ? from.dictionary->num_rows : 0;
    const auto values = buffer(n * to.width);
    to.values = values->as<uint8_t>();
    to.made.values = values;
    if (from.is_optional) start_levels(to);
    fill_values(to, values->size_bytes());
    if (from.kind != StoredKind::Strings) to.entries = make<uint8_t>(to.num_entries * to.width);
    if (to.has_strings()) {
      to.strings = {pages_.base(), make<int64_t>(to.num_strings(n)), make<int32_t>(to.num_strings(n))};
    }
    to.expanded_bytes = most_expanded_bytes(from);
    to.expanded = make<uint8_t>((to.num_entries + n) * to.expanded_bytes);
    add_pages(i);
  }

  /// Gives rows that get no value 0, or no string. Strings are looked up where a page lacks some, too.
  void fill_values(const Target& to, int64_t num_bytes) {
    if (to.has_strings()) {
      stream_.fill(to.values, 0xff, num_bytes);
    } else if (to.levels != nullptr) {
      stream_.fill(to.values, 0, num_bytes);
    }
  }

  void start_levels(Target& to) {
    to.levels = make<uint8_t>(batch_.num_rows);
    stream_.fill(to.levels, 0, std::max<int64_t>(batch_.num_rows, 1));
  }

  void add_pages(size_t i) {
    const EncodedColumn& from = batch_.columns[i];
    if (from.dictionary && !from.dictionary_strings) add_page(i, *from.dictionary, -1);
    int64_t row = 0;
    for (const EncodedPage& page : from.pages) {
      add_page(i, page, row);
      row += page.num_rows;
    }
    ACC_CHECK(row == batch_.num_rows);
  }

  /// @param row of the page's first one, below 0: it is the dictionary
  void add_page(size_t i, const EncodedPage& page, int64_t row) {
    const Target& target = targets_[i];
    const bool is_dictionary = row < 0;
    const int64_t place = is_dictionary ? 0 : target.num_entries + row;
    PageBody to = {};
    to.value_bytes = expanded_bytes(batch_.columns[i], page.encoding);
    to.level_bytes = is_dictionary || target.levels == nullptr ? nullptr : target.levels + row;
    to.expanded = target.expanded + place * target.expanded_bytes;
    to.to = is_dictionary ? target.entries : target.values + row * target.width;
    to.strings = target.strings;
    to.first_code = static_cast<uint32_t>(place);
    const int64_t number = pages_.num_pages();
    pages_.add(i, page, to);
    const bool continues = !runs_.empty() && runs_.back().column == i && runs_.back().encoding == page.encoding &&
                           runs_.back().is_dictionary == is_dictionary;
    if (!continues) runs_.push_back({i, page.encoding, is_dictionary, number, 0});
    ++runs_.back().num_pages;
  }

  void place(const PageRun& run) {
    const EncodedColumn& from = batch_.columns[run.column];
    const Target& to = targets_[run.column];
    const ValuePages pages = pages_.placed(run.first, run.num_pages);
    if (run.encoding == PageEncoding::PlainStrings) {
      // Those of a dictionary have been put in the table; they are no rows.
      if (!run.is_dictionary) place_dictionary_codes(stream_, to.num_strings(batch_.num_rows), pages);
    } else if (run.encoding == PageEncoding::Dictionary) {
      if (from.kind == StoredKind::Strings) return place_dictionary_codes(stream_, to.num_entries, pages);
      place_dictionary_values(stream_, to.width, to.entries, to.num_entries, pages);
    } else if (run.encoding == PageEncoding::Runs) {
      place_expanded_booleans(stream_, pages);
    } else if (from.kind == StoredKind::Booleans) {
      place_booleans(stream_, pages);
    } else if (from.kind == StoredKind::Decimals) {
      place_decimals(stream_, from.value_bytes, to.width, pages);
    } else {
      place_integers(stream_, from.value_bytes, to.width, pages);
    }
  }

  /// Makes what follows from the values at their rows.
  void complete(size_t i) {
    Target& to = targets_[i];
    const int64_t n = batch_.num_rows;
    if (to.levels != nullptr) {
      const auto validity = buffer(bitmap_bytes(n));
      level_bits(stream_, to.levels, n, validity->as<uint32_t>());
      to.made.validity = validity;
    }
    if (to.has_strings()) count_bytes(to);
    if (to.made.layout == ColumnLayout::Codes) upload_dictionary(i);
  }

  void count_bytes(Target& to) {
    const int64_t n = batch_.num_rows;
    auto* const sizes = make<int32_t>(n);
    stream_.fill(sizes, 0, std::max<int64_t>(n, 1) * static_cast<int64_t>(sizeof(int32_t)));
    gather(stream_, sizeof(int32_t), to.strings.sizes, reinterpret_cast<const int32_t*>(to.values), n, sizes);
    const auto offsets = buffer((n + 1) * static_cast<int64_t>(sizeof(int64_t)));
    exclusive_scan<int32_t>(stream_, sizes, n, offsets->as<int64_t>(),
                            make<uint8_t>(exclusive_scan_workspace_bytes(n)));
    stream_.copy_to_host(&to.num_bytes, offsets->as<int64_t>() + n, sizeof to.num_bytes);
    to.made.offsets = offsets;
  }

  void gather_bytes(Target& to) {
    const auto bytes = buffer(whole_words(to.num_bytes));
    gather_strings(stream_,
                   {to.strings.begins, to.strings.base, reinterpret_cast<const int32_t*>(to.values), batch_.num_rows,
                    to.made.offsets->as<int64_t>(), to.num_bytes, bytes->as<uint8_t>()},
                   make<uint8_t>(gather_strings_workspace_bytes(to.num_bytes)));
    temporary_.push_back(std::exchange(to.made.values, nullptr));
    to.made.bytes = bytes;
  }

  /// Copies the entries as those of a column of one row.
  void upload_dictionary(size_t i) {
    const columns::Batch entries{1, {one_code(batch_.columns[i].dictionary_strings, budget_)}, nullptr, {}};
    DeviceBatch copied = upload_kept(entries, std::vector<int>{0});
    DeviceColumn& made = targets_[i].made;
    made.offsets = std::move(copied.columns[0].offsets);
    made.bytes = std::move(copied.columns[0].bytes);
    made.dictionary = std::move(copied.columns[0].dictionary);
  }

  void upload_decoded() {
    columns::Batch decoded;
    decoded.num_rows = batch_.num_rows;
    std::vector<int> positions;
    for (const EncodedColumn& column : batch_.columns) {
      if (column.decoded) positions.push_back(static_cast<int>(decoded.columns.size()));
      decoded.columns.push_back(column.decoded);
    }
    DeviceBatch copied = upload_kept(decoded, positions);
    for (const int i : positions)
      targets_[static_cast<size_t>(i)].made = std::move(copied.columns[static_cast<size_t>(i)]);
  }

  DeviceBatch upload_kept(const columns::Batch& batch, const std::vector<int>& positions) {
    DeviceBatch copied = upload(stream_, batch, positions, budget_);
    host_.insert(host_.end(), copied.host.begin(), copied.host.end());
    return copied;
  }

  DeviceStream& stream_;
  const EncodedBatch& batch_;
  const std::shared_ptr<memory::Budget>& budget_;
  PageBatch pages_;
  std::vector<Target> targets_;
  std::vector<PageRun> runs_;
  std::vector<std::shared_ptr<const DeviceBuffer>> temporary_;
  std::vector<std::shared_ptr<const void>> host_;  ///< that copies read
};

/// Returns what a column takes that the device decodes, but for its pages and, of Strings, their bytes.
MemoryBound column_bound(const EncodedColumn& column, int64_t num_rows) {
  const bool is_text = column.kind == StoredKind::Strings;
  const int64_t num_entries = column.dictionary ? column.dictionary->num_rows : 0;
  const int64_t width = is_text ? kCodeBytes : types::width_of(column.type.physical());
  const int64_t num_values = num_entries + num_rows;
  MemoryBound bound;
  bound.add(num_rows, width);
  if (column.is_optional) bound.add(num_rows);
  if (column.is_optional) bound.add(bitmap_bytes(num_rows));
  bound.add(num_values, most_expanded_bytes(column));
  if (!is_text) bound.add(num_entries, width);
  if (layout_of(column) != ColumnLayout::Strings) return bound;
  bound.add(num_values, sizeof(int64_t));
  bound.add(num_values, sizeof(int32_t));
  bound.add(num_rows, sizeof(int32_t));
  bound.add(num_rows + 1, sizeof(int64_t));
  bound.add(exclusive_scan_workspace_bytes(num_rows));
  return bound;
}

/// Returns what a column takes that is uploaded.
MemoryBound uploaded_bound(const ColumnPtr& column) {
  return upload_bound({column->length(), {column}, nullptr, {}}, std::vector<int>{0});
}

}  // namespace

MemoryBound decode_bound(const EncodedBatch& batch) {
  MemoryBound bound = PageBatch::bound(batch);
  for (const EncodedColumn& column : batch.columns) {
    bound += column.decoded ? uploaded_bound(column.decoded) : column_bound(column, batch.num_rows);
    if (!column.decoded && column.dictionary_strings) {
      bound += uploaded_bound(one_code(column.dictionary_strings, memory::process_budget()));
    }
  }
  return bound;
}

ColumnLayout layout_of(const EncodedColumn& column) {
  if (column.type.physical() != types::PhysicalType::String) return ColumnLayout::Fixed;
  const bool has_codes = column.decoded ? column.decoded->is_dictionary() : column.dictionary_strings != nullptr;
  return has_codes ? ColumnLayout::Codes : ColumnLayout::Strings;
}

std::optional<DeviceBatch> decode(DeviceStream& stream, const EncodedBatch& batch,
                                  const std::shared_ptr<memory::Budget>& budget) {
  std::optional<StreamReservation> reserved(std::in_place, stream, decode_bound(batch));
  BatchDecoder decoder(stream, batch, budget);
  const StreamGuard guard(stream);
  if (!decoder.run()) return std::nullopt;
  reserved.reset();
  reserved.emplace(stream, decoder.strings_bound());
  return decoder.finish();
}

}  // namespace accelerant::device
