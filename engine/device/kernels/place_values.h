#pragma once

#include "device/block.h"
#include "device/page_status.h"

namespace accelerant::device::kernels {

/// The values of a page, one after the other, and the rows they are for.
struct ValuePage {
  const uint8* levels;  ///< one a row: 1 where there is a value, 0 at a null; null: all rows have values
  int64 num_rows;
  const uint8* data;
  int64 num_bytes;
  void* to;  ///< the place of the page's first row
};

/// Returns where a page has the value of a number, null where it ends before that.
ACC_HD inline const uint8* stored_value(const ValuePage& page, int64 number, int64 value_bytes) {
  return (number + 1) * value_bytes > page.num_bytes ? nullptr : page.data + number * value_bytes;
}

/// Integers of the plain encoding, least byte first, of which the low bytes are kept, or which are extended.
template <class Stored, class Kept>
struct PlainIntegers {
  using Value = Kept;

  ACC_HD static PageStatus read(const ValuePage& page, int64 number, Value& value) {
    const uint8* from = stored_value(page, number, sizeof(Stored));
    if (from == nullptr) return PageStatus::EndsEarly;
    Stored stored;
    ACC_COPY_BYTES(&stored, from, sizeof stored);
    value = static_cast<Value>(stored);
    return PageStatus::Sound;
  }
};

/// Booleans of the plain encoding, a bit each, the lowest first.
struct PlainBooleans {
  using Value = uint8;

  ACC_HD static PageStatus read(const ValuePage& page, int64 number, Value& value) {
    if (number >= page.num_bytes * 8) return PageStatus::EndsEarly;
    value = page.data[number / 8] >> (number % 8) & 1;
    return PageStatus::Sound;
  }
};

/// Booleans that runs were expanded to, a byte each, of which the lowest bit counts.
struct ExpandedBooleans {
  using Value = uint8;

  ACC_HD static PageStatus read(const ValuePage& page, int64 number, Value& value) {
    if (number >= page.num_bytes) return PageStatus::EndsEarly;
    value = page.data[number] & 1;
    return PageStatus::Sound;
  }
};

/// Decimals of a fixed number of bytes, the highest first.
template <class Unscaled>
struct FixedDecimals {
  using Value = Unscaled;
  int32 num_bytes;  ///< 1 to those of a value

  ACC_HD PageStatus read(const ValuePage& page, int64 number, Value& value) const {
    const uint8* from = stored_value(page, number, num_bytes);
    if (from == nullptr) return PageStatus::EndsEarly;
    value = static_cast<int8>(from[0]);
    for (int32 i = 1; i < num_bytes; ++i) value = value * 256 + from[i];
    return PageStatus::Sound;
  }
};

/// Indices of a dictionary, of 4 bytes, that stay indices.
struct DictionaryCodes {
  using Value = uint32;
  int64 num_entries;

  ACC_HD PageStatus read(const ValuePage& page, int64 number, Value& value) const {
    const PageStatus status = PlainIntegers<uint32, uint32>::read(page, number, value);
    if (status != PageStatus::Sound) return status;
    return value < num_entries ? PageStatus::Sound : PageStatus::BadOffset;
  }
};

/// Values of a dictionary, stored as indices.
template <class Entry>
struct DictionaryValues {
  using Value = Entry;
  const Entry* entries;
  int64 num_entries;

  ACC_HD PageStatus read(const ValuePage& page, int64 number, Value& value) const {
    uint32 index = 0;
    const PageStatus status = DictionaryCodes{num_entries}.read(page, number, index);
    if (status == PageStatus::Sound) value = entries[index];
    return status;
  }
};

/// Puts the values of a page at their rows; the place of a null is not written. One block a page, a thread a row.
template <class Source, int32 kNumThreads>
struct PlaceValues {
  static constexpr int32 kThreads = kNumThreads;
  using Value = typename Source::Value;

  struct Arguments {
    const ValuePage* pages;
    Source source;
    PageStatus* statuses;
  };

  template <Block B>
  struct Shared {
    typename B::template ScanScratch<int64> scratch;
    uint32 status;
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const ValuePage page = arguments.pages[block.index()];
    if (block.thread() == 0) shared.status = 0;
    block.sync();
    const PageStatus status = page.levels == nullptr ? place_all(block, page, arguments.source)
                                                     : place_valid(block, shared, page, arguments.source);
    if (status != PageStatus::Sound) {
      block.template fetch_max<Order::Relaxed, Scope::Block>(&shared.status, static_cast<uint32>(status));
    }
    block.sync();
    if (block.thread() == 0) arguments.statuses[block.index()] = static_cast<PageStatus>(shared.status);
  }

 private:
  template <Block B>
  ACC_HD static PageStatus place_all(B& block, const ValuePage& page, const Source& source) {
    PageStatus status = PageStatus::Sound;
    for (int64 row = block.thread(); row < page.num_rows; row += kThreads) {
      status = worse(status, place(page, source, row, row));
    }
    return status;
  }

  template <Block B>
  ACC_HD static PageStatus place_valid(B& block, Shared<B>& shared, const ValuePage& page, const Source& source) {
    PageStatus status = PageStatus::Sound;
    int64 num_placed = 0;
    for (int64 first = 0; first < page.num_rows; first += kThreads) {
      const int64 row = first + block.thread();
      const uint8 level = row < page.num_rows ? page.levels[row] : 0;
      if (level > 1) status = worse(status, PageStatus::BadLevel);
      int64 num_values = 0;
      const int64 before = block.exclusive_sum(shared.scratch, int64{level == 1}, num_values);
      if (level == 1) status = worse(status, place(page, source, num_placed + before, row));
      num_placed += num_values;
      block.sync();
    }
    return status;
  }

  ACC_HD static PageStatus place(const ValuePage& page, const Source& source, int64 number, int64 row) {
    Value value;
    const PageStatus status = source.read(page, number, value);
    if (status == PageStatus::Sound) static_cast<Value*>(page.to)[row] = value;
    return status;
  }

  ACC_HD static PageStatus worse(PageStatus lhs, PageStatus rhs) { return lhs < rhs ? rhs : lhs; }
};

/// Makes a bitmap of levels, 32 in a word by a ballot: a bit is set where the level is 1; bits past the end are 0.
template <int32 kNumThreads>
struct LevelBits {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const uint8* levels;
    int64 num_rows;
    uint32* to;  ///< (num_rows + 31) / 32 words
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 row = block.index() * kThreads + block.thread();
    const uint32 word = block.ballot(row < arguments.num_rows && arguments.levels[row] == 1);
    if (lane_of(block) == 0 && row < arguments.num_rows) arguments.to[row / kWarpThreads] = word;
  }
};

}  // namespace accelerant::device::kernels
