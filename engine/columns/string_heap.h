#pragma once

#include "memory/buffer.h"
#include "types/string_view.h"

#include <memory>
#include <vector>

namespace accelerant::columns {

/// Collects the bytes of long strings into heap buffers of its own and hands out views into them.
class StringHeap {
 public:
  /// @param total_bytes bytes of all strings over 12 bytes that will be added
  StringHeap(int64_t total_bytes, std::shared_ptr<memory::Budget> budget)
      : remaining_bytes_(total_bytes), budget_(std::move(budget)) {}

  /// Copies `text` and returns a view of the copy.
  types::StringView add(types::StringRef text);
  /// Ends collecting; views keep pointing into the returned buffers.
  std::vector<memory::BufferPtr> finish() { return {buffers_.begin(), buffers_.end()}; }

 private:
  void start_buffer(int64_t needed_bytes);

  int64_t remaining_bytes_;  ///< still to be added
  std::shared_ptr<memory::Budget> budget_;
  std::vector<std::shared_ptr<memory::Buffer>> buffers_;
  int64_t used_bytes_ = 0;      ///< of the last buffer
  int64_t capacity_bytes_ = 0;  ///< of the last buffer
};

}  // namespace accelerant::columns
