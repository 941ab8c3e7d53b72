#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace accelerant::memory {

/// Memory that lies in files, which the system reads and writes as it is touched: for what no budget has room for. Any
/// thread.
class DiskMemory {
 public:
  virtual ~DiskMemory() = default;
  /// Returns so many bytes of unspecified content, aligned as a Buffer is, which go with their last owner.
  /// @param asker whose error it is, e.g. "Sort (plan node 3)"
  /// @throws Error Resource, of class kOutOfBudget, naming what is wrong with each folder
  virtual std::shared_ptr<uint8_t> allocate(int64_t bytes, const std::string& asker) = 0;
};

}  // namespace accelerant::memory
