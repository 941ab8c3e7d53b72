#pragma once

#include "device/kernels/read_ahead.h"
#include "device/page_status.h"

/// Parquet's plain byte arrays: each is its length in 4 bytes, the lowest first, and its bytes. Where one begins only
/// those before it say.
namespace accelerant::device::kernels {

/// Where strings of a column lie: string i takes sizes[i] bytes from base[begins[i]] on.
struct StringTable {
  const uint8* base;
  int64* begins;
  int32* sizes;
};

/// A page of strings, and which places of the table are theirs.
struct StringPage {
  const uint8* data;  ///< at or behind the table's base
  int64 num_bytes;    ///< below 2^31
  int64 num_values;   ///< that are wanted
  StringTable table;
  uint32 first_code;  ///< place of the page's first string
  uint32* codes;      ///< gets the places, one after the other
};

/// Finds the strings of a page.
class StringFinder {
 public:
  static constexpr int32 kMostParts = 128;

  struct Queue {
    int64 begins[kMostParts];
    int32 sizes[kMostParts];
    int64 first;  ///< of its strings among the page's
    StringPage page;
    int32 num_parts;
  };

  ACC_HD explicit StringFinder(const StringPage& page)
      : page_(page), data_(page.data), end_(page.data + page.num_bytes) {}

  ACC_HD void fill(Queue& queue) {
    queue.page = page_;
    queue.first = num_found_;
    queue.num_parts = 0;
    while (queue.num_parts < kMostParts && num_found_ < page_.num_values && status_ == PageStatus::Sound) {
      int32 size = 0;
      if (!read_size(size)) {
        status_ = PageStatus::EndsEarly;
        return;
      }
      queue.begins[queue.num_parts] = data_ - page_.table.base;
      queue.sizes[queue.num_parts] = size;
      data_ += size;
      ++queue.num_parts;
      ++num_found_;
    }
  }

  ACC_HD static void decode(const Queue& queue, int32 thread, int32 threads) {
    const StringPage& page = queue.page;
    for (int32 i = thread; i < queue.num_parts; i += threads) {
      const int64 number = queue.first + i;
      const uint32 code = page.first_code + static_cast<uint32>(number);
      page.table.begins[code] = queue.begins[i];
      page.table.sizes[code] = queue.sizes[i];
      page.codes[number] = code;
    }
  }

  ACC_HD PageStatus status() const { return status_; }

 private:
  /// Reads the size of a string that ends before the page does.
  ACC_HD bool read_size(int32& size) {
    uint32 stored = 0;
    if (end_ - data_ < static_cast<int64>(sizeof stored)) return false;
    ACC_COPY_BYTES(&stored, data_, sizeof stored);
    data_ += sizeof stored;
    size = static_cast<int32>(stored);
    return stored <= end_ - data_;
  }

  const StringPage page_;
  const uint8* data_;
  const uint8* const end_;
  int64 num_found_ = 0;
  PageStatus status_ = PageStatus::Sound;
};

/// Finds the strings of a page a block.
template <int32 kNumThreads>
struct FindStrings {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const StringPage* pages;
    PageStatus* statuses;
  };

  template <Block B>
  struct Shared {
    StringFinder::Queue queues[2];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    StringFinder finder(arguments.pages[block.index()]);
    read_ahead(block, shared.queues, finder);
    if (block.thread() == 0) arguments.statuses[block.index()] = finder.status();
  }
};

}  // namespace accelerant::device::kernels
