#pragma once

#include "columns/column.h"
#include "memory/buffer.h"
#include "types/data_type.h"
#include "types/string_view.h"

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// The bytes of arrays, maps or structs of Spark's, one a row; without data: null. Charged to a budget.
class UnsafeBodies {
 public:
  UnsafeBodies(int64_t size, const std::shared_ptr<memory::Budget>& budget)
      : size_(size), buffer_(memory::Buffer::allocate(size * static_cast<int64_t>(sizeof(types::StringRef)), budget)) {}

  int64_t size() const { return size_; }
  types::StringRef& operator[](int64_t i) { return buffer_->mutable_as<types::StringRef>()[i]; }
  const types::StringRef& operator[](int64_t i) const { return buffer_->as<types::StringRef>()[i]; }

 private:
  int64_t size_;
  std::shared_ptr<memory::Buffer> buffer_;
};

/// Turns nested values in the formats of Spark's UnsafeArrayData, UnsafeMapData and UnsafeRow into a flat column. Long
/// strings stay where they are.
/// @param bodies within `whole`
/// @param type an array, a map or a struct, of types that are implemented or nested themselves
/// @throws Error Internal for values that reach beyond their bytes, Unsupported for more than 2^31 elements
columns::ColumnPtr read_unsafe_values(const UnsafeBodies& bodies, const types::DataType& type,
                                      const memory::BufferPtr& whole, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
