#pragma once

#include "codegen/row_kernel.h"
#include "codegen/row_launch.h"
#include "device/device_batch.h"
#include "device/device_buffer.h"

#include <cstdint>
#include <memory>

namespace accelerant::codegen {

/// One batch on its way through kernels: which rows are kept so far, and whether one is in error. Of one stream, which
/// has to be synchronised before it ends.
class RowPass {
 public:
  RowPass(device::DeviceStream& stream, const device::DeviceBatch& batch);

  /// Returns what a pass allocates over a batch of `num_rows`: some bytes, and with a filter a bit and 4 bytes a row
  /// and what its constants take.
  /// @param filter nullptr: all rows are kept
  static device::MemoryBound bound(const RowKernel* filter, int64_t num_rows);

  /// Finds the rows that are kept; false where a row is in error. Waits for the stream.
  bool filter(const RowKernel& kernel, const device::KernelEntry& entry);
  /// Waits for the stream; says whether no row is in error.
  bool is_sound() { return read_outcome().failed == 0; }

  /// Returns what kernels over the kept rows take.
  RowArguments arguments() const { return {num_rows_, rows(), nullptr, failed()}; }
  int64_t num_rows() const { return num_rows_; }
  /// Returns the numbers of the rows; null: all are kept.
  const int32_t* rows() const { return is_filtered_ ? rows_.as<const int32_t>() : nullptr; }

 private:
  /// What a pass reads back.
  struct Outcome {
    uint32_t failed = 0;
    uint32_t unused = 0;
    int64_t num_kept = 0;
  };

  uint32_t* failed() const { return &outcome_.as<Outcome>()->failed; }
  Outcome read_outcome();

  device::DeviceStream& stream_;
  const device::DeviceBatch& batch_;
  const device::DeviceBuffer outcome_;
  device::DeviceBuffer rows_;
  int64_t num_rows_;
  bool is_filtered_ = false;
};

}  // namespace accelerant::codegen
