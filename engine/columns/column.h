#pragma once

#include "base/bits.h"
#include "memory/buffer.h"
#include "types/data_type.h"
#include "types/string_view.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::columns {

class Column;
using ColumnPtr = std::shared_ptr<const Column>;

/// How a column's rows map to stored values.
enum class Encoding : uint8_t {
  Flat,        ///< row i is value i
  Constant,    ///< every row is the one value of the child
  Dictionary,  ///< row i is value indices[i] of the child
};

/// The parts of a flat column. Buffers are shared and immutable; `offset` counts elements into values and validity.
struct FlatParts {
  types::DataType type;
  types::PhysicalType physical;  ///< of a decimal: Int64 or Int128, as the batch has it; else type.physical()
  int64_t length = 0;
  int64_t offset = 0;
  memory::BufferPtr
      values;  ///< width_of(physical) bytes an element; Array and Map: int32 offsets, one more than elements
  memory::BufferPtr validity;           ///< bitmap, set = not null; nullptr: no nulls
  std::vector<memory::BufferPtr> heap;  ///< bytes that string views point into
  std::vector<ColumnPtr> children;      ///< element; keys and values; members
};

/// An immutable column of values of one type. Threads may share it.
///
/// Flat columns hold Arrow's layouts, save that booleans are one byte each and strings are views. A constant or
/// dictionary column holds its values in a flat child of the same type and physical type. Nulls of a dictionary column
/// may come from its own validity or from its child's.
class Column {
 public:
  static ColumnPtr flat(FlatParts parts);
  /// Repeats the one row of `value` (flat, length 1).
  static ColumnPtr constant(ColumnPtr value, int64_t length);
  /// Maps rows through `indices` (int32, valid positions in `dictionary`, also under nulls) into `dictionary` (flat).
  static ColumnPtr dictionary(ColumnPtr dictionary, memory::BufferPtr indices, int64_t length,
                              memory::BufferPtr validity = nullptr);
  /// Makes a constant column of nulls.
  static ColumnPtr nulls(const types::DataType& type, int64_t length, const std::shared_ptr<memory::Budget>& budget);

  const types::DataType& type() const { return parts_.type; }
  types::PhysicalType physical() const { return parts_.physical; }
  Encoding encoding() const { return encoding_; }
  bool is_flat() const { return encoding_ == Encoding::Flat; }
  bool is_constant() const { return encoding_ == Encoding::Constant; }
  bool is_dictionary() const { return encoding_ == Encoding::Dictionary; }
  int64_t length() const { return parts_.length; }

  /// Returns rows [offset, offset + length) without copying.
  ColumnPtr slice(int64_t offset, int64_t length) const;
  /// Returns the same values under another type of the same physical type.
  ColumnPtr with_type(const types::DataType& type) const;

  /// Flat only: the first row's value. Booleans are uint8_t.
  template <class T>
  const T* values() const {
    return reinterpret_cast<const T*>(parts_.values ? parts_.values->data() : nullptr) + parts_.offset;
  }
  /// Dictionary only: the first row's index.
  const int32_t* indices() const { return values<int32_t>(); }
  /// Constant: the flat column of one row. Dictionary: the flat column of values.
  const ColumnPtr& child_values() const { return parts_.children[0]; }

  /// The own validity bitmap or nullptr; row i's bit is `offset() + i`. For constant columns use `is_null`.
  const uint8_t* validity() const { return parts_.validity ? parts_.validity->data() : nullptr; }
  int64_t offset() const { return parts_.offset; }
  bool is_null(int64_t row) const;
  /// Says whether some row might be null; false is certain.
  bool may_have_nulls() const;
  int64_t count_nulls() const;

  const std::vector<memory::BufferPtr>& heap() const { return parts_.heap; }
  /// Start addresses of the heap buffers, for types::resolve.
  const char* const* heap_addresses() const { return heap_addresses_.data(); }
  /// Flat Array, Map, Struct: the children, not sliced; an element's range is given by values<int32_t>() offsets, a
  /// struct's member row is offset() + row.
  const std::vector<ColumnPtr>& children() const { return parts_.children; }
  const FlatParts& parts() const { return parts_; }

  /// String of a flat column's row.
  types::StringRef string_at(int64_t row) const {
    return types::resolve(values<types::StringView>()[row], heap_addresses());
  }

  /// Says for certain that no other bytes are kept alive by this column; false says nothing.
  bool owns_its_bytes_only() const;
  /// Bytes of all buffers reachable from here, each counted once per reference.
  int64_t memory_bytes() const;

 private:
  Column(FlatParts parts, Encoding encoding);

  FlatParts parts_;
  Encoding encoding_;
  std::vector<const char*> heap_addresses_;
};

/// Makes a fixed-width flat column of uninitialised values that the caller fills through `values()` before sharing it.
class FlatBuilder {
 public:
  FlatBuilder(const types::DataType& type, types::PhysicalType physical, int64_t length,
              const std::shared_ptr<memory::Budget>& budget);

  template <class T>
  T* values() {
    return values_->mutable_as<T>();
  }
  /// Returns the validity bitmap, made on first use with every row valid.
  uint8_t* validity();
  /// Shares an existing bitmap that starts at bit 0 instead.
  void set_validity(memory::BufferPtr validity);
  void set_heap(std::vector<memory::BufferPtr> heap) { parts_.heap = std::move(heap); }
  ColumnPtr finish();

 private:
  FlatParts parts_;
  std::shared_ptr<memory::Buffer> values_;
  std::shared_ptr<memory::Buffer> validity_;
  std::shared_ptr<memory::Budget> budget_;
};

}  // namespace accelerant::columns
