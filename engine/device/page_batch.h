#pragma once

#include "device/device_buffer.h"
#include "device/encoded_batch.h"
#include "device/primitives/decompress_snappy.h"
#include "device/primitives/find_values.h"
#include "device/primitives/place_values.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::device {

/// The pages of a batch in memory of a device, on their way to values that can be placed at their rows. First all pages
/// are added, then they are expanded, all of a kind by one launch, and then placed.
class PageBatch {
 public:
  /// Makes room for the pages of a batch, which has to live until the stream is synchronised, as this has to.
  PageBatch(DeviceStream& stream, const EncodedBatch& batch);

  /// Returns what the pages of a batch take at most: their bytes, those of bodies once more that are decompressed, and
  /// some 500 bytes a page.
  static MemoryBound bound(const EncodedBatch& batch);

  /// Returns what offsets of strings count from, at a multiple of 8 and readable up to the next one behind the end.
  const uint8_t* base() const { return bytes_.as<uint8_t>(); }
  /// Adds a page; `to` has all but where it lies and how it is stored.
  void add(size_t column, const EncodedPage& page, PageBody to);
  int64_t num_pages() const { return static_cast<int64_t>(pages_.size()); }

  /// Enqueues a copy of the batch's bytes and what is done to all pages: decompression, levels, runs; and to groups of
  /// pages: deltas, strings.
  void expand();
  /// Returns some pages that were expanded, ready to be placed.
  ValuePages placed(int64_t first, int64_t num_pages) const;
  /// Enqueues a copy of what was found to the host.
  void fetch_statuses();
  /// Says, after that copy, whether nothing is wrong with any page.
  bool is_sound() const;

 private:
  /// What finds something about each page.
  enum Step { kFindLevels, kExpandLevels, kFindValues, kExpandBooleans, kExpandIndices, kExpandOthers, kPlace, kSteps };

  template <class T>
  T* make(int64_t n);
  template <class T>
  T* put(const std::vector<T>& values);
  PageStatus* statuses(Step step) const { return statuses_ + step * num_pages(); }
  void copy_bytes();
  void make_streams();
  void expand_others(int64_t first, int64_t num_pages);

  DeviceStream& stream_;
  const EncodedBatch& batch_;
  std::vector<DeviceBuffer> buffers_;
  DeviceBuffer bytes_;
  std::vector<int64_t> column_begins_;  ///< of their stored bytes
  int64_t next_body_ = 0;               ///< where the next decompressed body goes
  std::vector<PageBody> pages_;
  std::vector<SnappyBlock> blocks_;
  PageStreams streams_ = {};
  PageStatus* statuses_ = nullptr;  ///< of all steps, then of blocks
  std::vector<PageStatus> found_;
};

}  // namespace accelerant::device
