#pragma once

#include "columns/batch.h"
#include "device/encoded_batch.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// Reads row groups as they are stored for one worker, for a device to decode. One thread at a time; does not outlive
/// its scan.
class EncodedScanWorker {
 public:
  virtual ~EncodedScanWorker() = default;
  /// Takes the next morsel, a row group, and returns true; false at the end. All its rows are emitted: the scan's
  /// filters are not applied. It has no rows where the file shows that none is wanted, and rows but no columns where it
  /// has to be read on the host, whose error may be what is wrong with it.
  virtual bool next(device::EncodedBatch& out) = 0;
  /// Reads the morsel that was taken last on the host, as ScanWorker::next does; to be called until it ends.
  virtual void next_on_host(columns::Batch& out) = 0;
  /// Goes to a morsel that some worker took before, to be read on the host.
  virtual void go_back(int64_t morsel) = 0;
};

/// What a scan can do of which the pages are known as they are stored. Its morsels are the scan's.
class EncodedScan {
 public:
  virtual ~EncodedScan() = default;
  /// Makes a worker. Any thread.
  /// @param allocate gives the memory that is copied to a device: what is stored is read to it, or decompressed
  virtual std::unique_ptr<EncodedScanWorker> make_encoded_worker(memory::AllocateBuffer allocate) = 0;
};

}  // namespace accelerant::io
