#pragma once

#include "device/kernels/read_ahead.h"
#include "device/page_status.h"
#include "types/varint.h"

/// Snappy's format (google/snappy, format_description.txt): the length of what a block stands for, and then elements,
/// which are literals, copied from the block, or copies of bytes that were made before.
namespace accelerant::device::kernels {

/// A block in snappy's format, and where the bytes it stands for go.
struct SnappyBlock {
  const uint8* from;
  int64 from_bytes;
  uint8* to;
  int64 to_bytes;  ///< below 2^32
};

/// Finds the elements of a block and makes their bytes. A queue ends before an element that reads what the queue itself
/// makes, so that threads can make its bytes in any order.
class SnappyDecompressor {
 public:
  static constexpr int32 kMostParts = 32;

  /// An element: byte i of it is from[i % period].
  struct Element {
    const uint8* from;
    uint32 period;
    uint32 end;  ///< of its bytes among the block's
  };
  struct Queue {
    Element elements[kMostParts];
    uint8* to;
    uint32 begin;  ///< of the bytes of its first element
    int32 num_parts;
  };

  ACC_HD explicit SnappyDecompressor(const SnappyBlock& block)
      : block_(block), from_(block.from), end_(block.from + block.from_bytes) {
    uint64 length = 0;
    if (!types::read_varint(from_, end_, length)) {
      status_ = PageStatus::EndsEarly;
    } else if (length != static_cast<uint64>(block.to_bytes) || length >> 32 != 0) {
      status_ = PageStatus::BadLength;
    }
  }

  ACC_HD void fill(Queue& queue) {
    queue.to = block_.to;
    queue.begin = num_made_;
    queue.num_parts = 0;
    while (queue.num_parts < kMostParts && status_ == PageStatus::Sound) {
      if (!has_element_ && !read_element()) return;
      if (source_end_ > queue.begin) return;
      queue.elements[queue.num_parts++] = element_;
      num_made_ = element_.end;
      has_element_ = false;
    }
  }

  ACC_HD static void decode(const Queue& queue, int32 thread, int32 threads) {
    const Element* element = queue.elements;
    uint64 begin = queue.begin;
    const uint64 end = queue.elements[queue.num_parts - 1].end;
    for (uint64 i = begin + static_cast<uint32>(thread); i < end; i += static_cast<uint32>(threads)) {
      while (i >= element->end) begin = (element++)->end;
      const uint32 place = static_cast<uint32>(i - begin);
      queue.to[i] = element->from[place < element->period ? place : place % element->period];
    }
  }

  ACC_HD PageStatus status() const { return status_; }

 private:
  /// Reads the next element, if there is one. Sets the status where it is none, or the end of a block that is too
  /// short.
  ACC_HD bool read_element() {
    if (from_ == end_) {
      if (num_made_ != block_.to_bytes) status_ = PageStatus::BadLength;
      return false;
    }
    const uint8 tag = *from_++;
    const int32 num_more = bytes_behind(tag);
    if (end_ - from_ < num_more) return fail(PageStatus::EndsEarly);
    uint64 number = 0;
    for (int32 i = 0; i < num_more; ++i) number |= uint64{*from_++} << (8 * i);
    has_element_ = (tag & 3) == 0 ? take_literal(num_more == 0 ? uint64{tag} >> 2 : number) : take_copy(tag, number);
    return has_element_;
  }

  /// How many bytes of a literal's length, or of a copy's offset, follow an element's first byte, which has its kind in
  /// the two lowest bits.
  ACC_HD static int32 bytes_behind(uint8 tag) {
    const int32 kind = tag & 3;
    if (kind == 0) return tag < (60 << 2) ? 0 : (tag >> 2) - 59;
    return kind == 3 ? 4 : kind;
  }

  ACC_HD bool take_literal(uint64 length_less_one) {
    if (length_less_one >= static_cast<uint64>(end_ - from_)) return fail(PageStatus::EndsEarly);
    if (length_less_one >= room()) return fail(PageStatus::BadLength);
    const uint32 length = static_cast<uint32>(length_less_one) + 1;
    element_ = {from_, length, num_made_ + length};
    source_end_ = 0;
    from_ += length;
    return true;
  }

  ACC_HD bool take_copy(uint8 tag, uint64 number) {
    const bool is_near = (tag & 3) == 1;
    const uint32 length = is_near ? ((uint32{tag} >> 2) & 7) + 4 : (uint32{tag} >> 2) + 1;
    const uint64 offset = is_near ? number | (uint64{tag} >> 5) << 8 : number;
    if (offset == 0 || offset > num_made_) return fail(PageStatus::BadOffset);
    if (length > room()) return fail(PageStatus::BadLength);
    const uint32 begin = num_made_ - static_cast<uint32>(offset);
    const uint32 period = static_cast<uint32>(offset);
    element_ = {block_.to + begin, period, num_made_ + length};
    source_end_ = begin + (period < length ? period : length);
    return true;
  }

  ACC_HD uint64 room() const { return static_cast<uint64>(block_.to_bytes) - num_made_; }
  ACC_HD bool fail(PageStatus status) {
    status_ = status;
    return false;
  }

  const SnappyBlock block_;
  const uint8* from_;
  const uint8* const end_;
  uint32 num_made_ = 0;  ///< bytes of the elements that are in queues
  bool has_element_ = false;
  Element element_ = {};   ///< that was read and is in no queue yet
  uint32 source_end_ = 0;  ///< of the bytes of the block that it copies
  PageStatus status_ = PageStatus::Sound;
};

/// Decompresses a block of snappy a block of threads.
template <int32 kNumThreads>
struct DecompressSnappy {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const SnappyBlock* blocks;
    PageStatus* statuses;
  };

  template <Block B>
  struct Shared {
    SnappyDecompressor::Queue queues[2];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    SnappyDecompressor decompressor(arguments.blocks[block.index()]);
    read_ahead(block, shared.queues, decompressor);
    if (block.thread() == 0) arguments.statuses[block.index()] = decompressor.status();
  }
};

}  // namespace accelerant::device::kernels
