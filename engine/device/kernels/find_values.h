#pragma once

#include "device/block.h"
#include "device/kernels/expand_deltas.h"
#include "device/kernels/expand_runs.h"
#include "device/kernels/find_strings.h"
#include "device/kernels/place_values.h"
#include "device/page_encoding.h"
#include "device/page_status.h"

/// Where the parts of a page lie is written in the page, which may just have been decompressed: so a device finds them.
namespace accelerant::device::kernels {

/// Some bytes.
struct ByteSpan {
  const uint8* data;
  int64 num_bytes;
};

/// A page whose body is in memory of the device, and where what is made of it goes.
struct PageBody {
  ByteSpan body;          ///< below 2^31 bytes
  ByteSpan levels;        ///< that lie apart
  bool levels_in_body;    ///< behind the 4 bytes that say how many bytes they take; the values follow
  PageEncoding encoding;  ///< of the values
  int32 value_bytes;      ///< of what runs and deltas are expanded to: 1, 4 or 8; strings become codes of 4; 0: Plain
  int64 num_rows;
  uint8* level_bytes;   ///< one a row, 1 where there is a value; null: all rows have values
  void* expanded;       ///< value_bytes a row
  void* to;             ///< the place of the first row
  StringTable strings;  ///< of PlainStrings
  uint32 first_code;    ///< likewise
};

/// What the primitives take that decode the parts of pages: a place for each page. Those that a page does not need stay
/// as they are.
struct PageStreams {
  RunStream* levels;
  ByteSpan* values;
  RunStream* booleans;
  RunStream* indices;
  DeltaStream* deltas;
  StringPage* strings;
  ValuePage* placed;
};

/// Splits what follows 4 bytes that say how long its first part is. Returns false where it is longer.
ACC_HD inline bool split_at_length(ByteSpan& bytes, ByteSpan& first) {
  uint32 length = 0;
  const auto length_bytes = static_cast<int64>(sizeof length);
  if (bytes.num_bytes < length_bytes) return false;
  ACC_COPY_BYTES(&length, bytes.data, sizeof length);
  if (length > bytes.num_bytes - length_bytes) return false;
  first = {bytes.data + length_bytes, length};
  bytes = {first.data + length, bytes.num_bytes - length_bytes - length};
  return true;
}

/// Finds the levels and the values of a page a thread.
template <int32 kNumThreads>
struct FindLevels {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const PageBody* pages;
    int64 num_pages;
    PageStreams streams;
    PageStatus* statuses;
  };

  template <Block B>
  struct Shared {};

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>&, const Arguments& arguments) {
    const int64 i = block.index() * kThreads + block.thread();
    if (i >= arguments.num_pages) return;
    const PageBody& page = arguments.pages[i];
    ByteSpan values = page.body;
    ByteSpan levels = page.levels;
    const bool is_split = !page.levels_in_body || split_at_length(values, levels);
    arguments.statuses[i] = is_split ? PageStatus::Sound : PageStatus::BadLength;
    if (!is_split) return;
    arguments.streams.values[i] = values;
    if (page.level_bytes != nullptr) {
      arguments.streams.levels[i] = {levels.data, levels.num_bytes, page.num_rows, page.level_bytes, 1};
    }
  }
};

/// Counts the values of a page, and says how they are decoded and where they are placed, a page a block.
template <int32 kNumThreads>
struct FindValues {
  static constexpr int32 kThreads = kNumThreads;
  using Arguments = typename FindLevels<kNumThreads>::Arguments;

  template <Block B>
  struct Shared {
    typename B::template ScanScratch<int64> scratch;
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const PageBody& page = arguments.pages[block.index()];
    const int64 num_values = page.level_bytes == nullptr ? page.num_rows : count_values(block, shared, page);
    if (block.thread() == 0) {
      arguments.statuses[block.index()] = find(page, num_values, arguments.streams, block.index());
    }
  }

 private:
  template <Block B>
  ACC_HD static int64 count_values(B& block, Shared<B>& shared, const PageBody& page) {
    int64 own = 0;
    for (int64 row = block.thread(); row < page.num_rows; row += kThreads) own += page.level_bytes[row] == 1;
    int64 all = 0;
    block.exclusive_sum(shared.scratch, own, all);
    return all;
  }

  ACC_HD static PageStatus find(const PageBody& page, int64 num_values, const PageStreams& streams, int64 i) {
    ByteSpan values = streams.values[i];
    ByteSpan expanded = {static_cast<const uint8*>(page.expanded), num_values * page.value_bytes};
    PageStatus status = PageStatus::Sound;
    if (page.encoding == PageEncoding::Plain) {
      expanded = values;
    } else if (page.encoding == PageEncoding::PlainStrings) {
      streams.strings[i] = {values.data,  values.num_bytes, num_values,
                            page.strings, page.first_code,  static_cast<uint32*>(page.expanded)};
    } else if (page.encoding == PageEncoding::Dictionary) {
      streams.indices[i] = indices_of(page, values, num_values);
    } else if (page.encoding == PageEncoding::Deltas) {
      streams.deltas[i] = {values.data, values.num_bytes, num_values, page.expanded};
    } else {
      ByteSpan runs = {};
      if (!split_at_length(values, runs)) status = PageStatus::BadLength;
      streams.booleans[i] = {runs.data, runs.num_bytes, num_values, page.expanded, 1};
    }
    streams.placed[i] = {page.level_bytes, page.num_rows, expanded.data, expanded.num_bytes, page.to};
    return status;
  }

  /// Where all rows are null, there need not even be a width.
  ACC_HD static RunStream indices_of(const PageBody& page, const ByteSpan& values, int64 num_values) {
    if (values.num_bytes == 0) return {values.data, 0, num_values, page.expanded, 0};
    return {values.data + 1, values.num_bytes - 1, num_values, page.expanded, values.data[0]};
  }
};

}  // namespace accelerant::device::kernels
