#pragma once

#include "functions/aggregate/state_columns.h"
#include "memory/buffer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::aggregates {

/// Owns the bytes of texts that states hold. What a text no longer needs is kept for others. One worker at a time.
class TextStore {
 public:
  explicit TextStore(std::shared_ptr<memory::Budget> budget) : budget_(std::move(budget)) {}

  /// Makes `held`, which is a text of this store or empty, a copy of `text`, which may be any but a part of `held`.
  /// @throws Error Resource where the budget has no room; `held` is as it was
  void assign(functions::HeldText& held, types::StringRef text);
  /// Likewise, makes it one of so many bytes, to be written by the caller. Where these are more than it had room for,
  /// the bytes that it held stay readable where they were until the next call.
  void reserve(functions::HeldText& held, int64_t bytes);

 private:
  static constexpr int kLeastClass = 4;  ///< of 16 bytes
  static constexpr int kClasses = 32;

  char* allocate(int size_class);

  std::shared_ptr<memory::Budget> budget_;
  std::vector<std::shared_ptr<memory::Buffer>> chunks_;
  char* next_ = nullptr;  ///< free bytes of the last chunk
  int64_t free_bytes_ = 0;
  int64_t chunk_bytes_ = 4096;                       ///< of the next chunk: of few groups
  std::array<std::vector<char*>, kClasses> unused_;  ///< by the exponent of their size
};

}  // namespace accelerant::aggregates
