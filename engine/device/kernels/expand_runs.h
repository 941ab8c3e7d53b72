#pragma once

#include "device/kernels/packed_bits.h"
#include "device/kernels/read_ahead.h"
#include "device/page_status.h"
#include "types/run_header.h"

namespace accelerant::device::kernels {

/// A stream of Parquet's hybrid of run-length and bit-packed integers, and where its first ones go.
struct RunStream {
  const uint8* data;
  int64 num_bytes;
  int64 num_values;  ///< that are wanted
  void* to;          ///< so many
  int32 bit_width;
};

/// Finds the runs of a stream and expands them into integers.
template <class Value>
class RunExpander {
 public:
  static constexpr int32 kMostParts = 32;
  static constexpr int32 kMostBits = 8 * static_cast<int32>(sizeof(Value));

  /// A run that has integers that are wanted.
  struct Run {
    const uint8* packed;  ///< null: all are `repeated`
    int64 begin;          ///< of its integers among the stream's
    int64 end;
    uint32 repeated;
  };
  struct Queue {
    Run runs[kMostParts];
    Value* to;
    int32 bit_width;
    int32 num_parts;
  };

  ACC_HD explicit RunExpander(const RunStream& stream)
      : stream_(stream), data_(stream.data), end_(stream.data + stream.num_bytes) {
    if (stream.bit_width < 0 || stream.bit_width > kMostBits) status_ = PageStatus::BadWidth;
  }

  ACC_HD void fill(Queue& queue) {
    queue.to = static_cast<Value*>(stream_.to);
    queue.bit_width = stream_.bit_width;
    queue.num_parts = 0;
    while (queue.num_parts < kMostParts && num_found_ < stream_.num_values && status_ == PageStatus::Sound) {
      Run run;
      if (!read_run(run)) {
        status_ = PageStatus::EndsEarly;
      } else if (run.begin < run.end) {
        queue.runs[queue.num_parts++] = run;
      }
    }
  }

  ACC_HD static void decode(const Queue& queue, int32 thread, int32 threads) {
    const Run* run = queue.runs;
    const int64 end = queue.runs[queue.num_parts - 1].end;
    for (int64 i = run->begin + thread; i < end; i += threads) {
      while (i >= run->end) ++run;
      const uint64 bits = run->packed == nullptr
                              ? run->repeated
                              : load_bits(run->packed, (i - run->begin) * queue.bit_width, queue.bit_width);
      queue.to[i] = static_cast<Value>(bits);
    }
  }

  ACC_HD PageStatus status() const { return status_; }

 private:
  ACC_HD bool read_run(Run& run) {
    types::RunHeader header;
    if (!types::read_run_header(data_, end_, header)) return false;
    run.begin = num_found_;
    const bool is_read = header.is_packed ? read_packed(header.count, run) : read_repeated(header.count, run);
    num_found_ = run.end;
    return is_read;
  }

  ACC_HD bool read_packed(int64 num_groups, Run& run) {
    const int64 width = stream_.bit_width;
    const int64 room = end_ - data_;
    // The last run may lack the bytes of its padding.
    const int64 num_bytes = num_groups * width < room ? num_groups * width : room;
    run.packed = data_;
    run.repeated = 0;
    run.end = wanted_end(width == 0 ? num_groups * 8 : num_bytes * 8 / width);
    data_ += num_bytes;
    return true;
  }

  ACC_HD bool read_repeated(int64 count, Run& run) {
    const int32 num_bytes = (stream_.bit_width + 7) / 8;
    run.packed = nullptr;
    run.repeated = 0;
    run.end = run.begin;
    if (end_ - data_ < num_bytes) return false;
    for (int32 i = 0; i < num_bytes; ++i) run.repeated |= uint32{*data_++} << (8 * i);
    run.end = wanted_end(count);
    return true;
  }

  ACC_HD int64 wanted_end(int64 count) const {
    const int64 left = stream_.num_values - num_found_;
    return num_found_ + (count < left ? count : left);
  }

  const RunStream stream_;
  const uint8* data_;
  const uint8* const end_;
  int64 num_found_ = 0;  ///< integers of the runs that were read
  PageStatus status_ = PageStatus::Sound;
};

/// Expands a stream a block.
template <class Value, int32 kNumThreads>
struct ExpandRuns {
  static constexpr int32 kThreads = kNumThreads;

  struct Arguments {
    const RunStream* streams;
    PageStatus* statuses;
  };

  template <Block B>
  struct Shared {
    typename RunExpander<Value>::Queue queues[2];
  };

  template <Block B>
  ACC_HD static void run(B& block, Shared<B>& shared, const Arguments& arguments) {
    RunExpander<Value> expander(arguments.streams[block.index()]);
    read_ahead(block, shared.queues, expander);
    if (block.thread() == 0) arguments.statuses[block.index()] = expander.status();
  }
};

}  // namespace accelerant::device::kernels
