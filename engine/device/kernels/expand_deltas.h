#pragma once

#include "device/kernels/packed_bits.h"
#include "device/kernels/read_ahead.h"
#include "device/page_status.h"
#include "types/varint.h"

/// Parquet's DELTA_BINARY_PACKED: a head with the sizes and the first value; then blocks, each with its least delta and
/// the bit widths of its miniblocks, in which the deltas less the least are packed.
namespace accelerant::device::kernels {

/// A stream of packed deltas, and where its first values go.
struct DeltaStream {
  const uint8* data;
  int64 num_bytes;
  int64 num_values;  ///< that are wanted
  void* to;          ///< so many
};

/// Finds the miniblocks of a stream and unpacks their deltas.
template <class Value>
class DeltaUnpacker {
 public:
  static constexpr int32 kMostParts = 32;

  /// A miniblock that has deltas that are wanted; the first value is one of its own.
  struct Miniblock {
    const uint8* packed;
    int64 begin;  ///< of its deltas among the stream's values
    int64 end;
    uint64 least_delta;
    int32 bit_width;
  };
  struct Queue {
    Miniblock miniblocks[kMostParts];
    Value* to;
    int32 num_parts;
  };

  ACC_HD explicit DeltaUnpacker(const DeltaStream& stream)
      : stream_(stream), data_(stream.data), end_(stream.data + stream.num_bytes), status_(read_head()) {}

  ACC_HD void fill(Queue& queue) {
    queue.to = static_cast<Value*>(stream_.to);
    queue.num_parts = 0;
    while (queue.num_parts < kMostParts && num_found_ < stream_.num_values && status_ == PageStatus::Sound) {
      Miniblock& next = queue.miniblocks[queue.num_parts];
      if (num_found_ == 0) {
        next = {data_, 0, 1, first_value_, 0};
      } else {
        status_ = read_miniblock(next);
        if (status_ != PageStatus::Sound) return;
      }
      num_found_ = next.end;
      ++queue.num_parts;
    }
  }

  ACC_HD static void decode(const Queue& queue, int32 thread, int32 threads) {
    const Miniblock* miniblock = queue.miniblocks;
    const int64 end = queue.miniblocks[queue.num_parts - 1].end;
    for (int64 i = miniblock->begin + thread; i < end; i += threads) {
      while (i >= miniblock->end) ++miniblock;
      const int64 first_bit = (i - miniblock->begin) * miniblock->bit_width;
      queue.to[i] =
          static_cast<Value>(miniblock->least_delta + load_bits(miniblock->packed, first_bit, miniblock->bit_width));
    }
  }

  ACC_HD PageStatus status() const { return status_; }

 private:
  ACC_HD PageStatus read_head() {
    uint64 block_size = 0;
    uint64 num_miniblocks = 0;
    uint64 num_values = 0;
    if (!types::read_varint(data_, end_, block_size) || !types::read_varint(data_, end_, num_miniblocks) ||
        !types::read_varint(data_, end_, num_values) || !types::read_varint(data_, end_, first_value_)) {
      return PageStatus::EndsEarly;
    }
    first_value_ = static_cast<uint64>(types::unzigzag(first_value_));
    if (num_miniblocks == 0 || block_size == 0 || block_size >> 31 != 0 || block_size % num_miniblocks != 0 ||
        block_size / num_miniblocks % 8 != 0 || num_values >> 31 != 0) {
      return PageStatus::BadLength;
    }
    num_miniblocks_ = static_cast<int64>(num_miniblocks);
    miniblock_size_ = static_cast<int64>(block_size / num_miniblocks);
    return stream_.num_values <= static_cast<int64>(num_values) ? PageStatus::Sound : PageStatus::EndsEarly;
  }

  ACC_HD PageStatus read_block() {
    if (!types::read_varint(data_, end_, least_delta_) || end_ - data_ < num_miniblocks_) return PageStatus::EndsEarly;
    least_delta_ = static_cast<uint64>(types::unzigzag(least_delta_));
    widths_ = data_;
    data_ += num_miniblocks_;
    num_left_ = num_miniblocks_;
    return PageStatus::Sound;
  }

  ACC_HD PageStatus read_miniblock(Miniblock& next) {
    if (num_left_ == 0) {
      const PageStatus status = read_block();
      if (status != PageStatus::Sound) return status;
    }
    const int32 bit_width = widths_[num_miniblocks_ - num_left_--];
    if (bit_width > 64) return PageStatus::BadWidth;
    const int64 num_bytes = miniblock_size_ / 8 * bit_width;
    if (num_bytes > end_ - data_) return PageStatus::EndsEarly;
    const int64 wanted = stream_.num_values - num_found_;
    next = {data_, num_found_, num_found_ + (wanted < miniblock_size_ ? wanted : miniblock_size_), least_delta_,
            bit_width};
    data_ += num_bytes;
    return PageStatus::Sound;
  }

  const DeltaStream stream_;
  const uint8* data_;
  const uint8* const end_;
  uint64 first_value_ = 0;
  int64 num_miniblocks_ = 0;  ///< of a block
  int64 miniblock_size_ = 0;  ///< in deltas
  uint64 least_delta_ = 0;
  const uint8* widths_ = nullptr;  ///< of the block's miniblocks
  int64 num_left_ = 0;             ///< of the block's miniblocks
  int64 num_found_ = 0;
  PageStatus status_;  ///< last, as the head sets others
};

/// Unpacks a stream a block, and then sums its deltas up, kTileValues at a time.
template <class Value, int32 kNumThreads>
struct ExpandDeltas {
  static constexpr int32 kThreads = kNumThreads;
  static constexpr int32 kItems = 4;
  static constexpr int32 kTileValues = kThreads * kItems;

  struct Arguments {
    const DeltaStream* streams;
    PageStatus* statuses;
  };

  template <Block B>
  struct Shared {
    typename DeltaUnpacker<Value>::Queue queues[2];
    typename B::template ScanScratch<Value> scratch;
    PageStatus status;
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    const DeltaStream stream = arguments.streams[block.index()];
    DeltaUnpacker<Value> unpacker(stream);
    read_ahead(block, shared.queues, unpacker);
    if (block.thread() == 0) arguments.statuses[block.index()] = shared.status = unpacker.status();
    block.sync();
    if (shared.status == PageStatus::Sound) sum_up(block, shared, static_cast<Value*>(stream.to), stream.num_values);
  }

 private:
  template <Block B>
  ACC_HD static void sum_up(B& block, Shared<B>& shared, Value* values, int64 num_values) {
    Value before = 0;
    for (int64 first = 0; first < num_values; first += kTileValues) {
      const int64 begin = first + block.thread() * kItems;
      const int64 end = begin + kItems < num_values ? begin + kItems : num_values;
      Value own = 0;
      for (int64 i = begin; i < end; ++i) own += values[i];
      Value total = 0;
      Value sum = before + block.exclusive_sum(shared.scratch, own, total);
      for (int64 i = begin; i < end; ++i) values[i] = sum += values[i];
      before += total;
      block.sync();
    }
  }
};

}  // namespace accelerant::device::kernels
