// UnsafeArrayData: the number of elements in a word, a bit for each null element in whole words, then the elements,
// each as wide as its type, or a word as in UnsafeRow. UnsafeMapData: the size of the array of keys in a word, this
// array, the array of values. A struct is an UnsafeRow.

#include "io/unsafe_values.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/unsafe_column.h"
#include "memory/budget_ptr.h"
#include "memory/offset_limit.h"

#include <utility>
#include <vector>

namespace accelerant::io {

namespace {

using columns::ColumnPtr;
using memory::BudgetPtr;
using memory::Buffer;
using types::DataType;
using types::PhysicalType;
using types::StringRef;

int64_t bitset_bytes(int64_t num_bits) { return (num_bits + 63) / 64 * kUnsafeWordBytes; }

[[noreturn]] void throw_cut_off() { throw Error(ErrorKind::Internal, "a nested value of Spark's is cut off"); }

/// Says whether a type's values stand in an array themselves.
bool is_in_place(PhysicalType physical) {
  return types::width_of(physical) > 0 && types::width_of(physical) <= kUnsafeWordBytes &&
         physical != PhysicalType::Array && physical != PhysicalType::Map;
}

int64_t element_bytes(const DataType& type) {
  const PhysicalType physical = spark_physical(type);
  return is_in_place(physical) ? types::width_of(physical) : kUnsafeWordBytes;
}

/// An array of Spark's, checked as far as its elements' words go.
class ArrayBytes {
 public:
  ArrayBytes(StringRef bytes, const DataType& element) : bytes_(bytes), width_(element_bytes(element)) {
    if (bytes.length < kUnsafeWordBytes) throw_cut_off();
    size_ = load_unaligned<int64_t>(data());
    if (size_ < 0 || size_ > bytes.length * 8LL || header_bytes() + size_ * width_ > bytes.length) throw_cut_off();
  }

  int64_t size() const { return size_; }
  bool is_null(int64_t i) const { return (data()[kUnsafeWordBytes + i / 8] >> (i % 8) & 1) != 0; }
  const uint8_t* elements() const { return data() + header_bytes(); }
  const uint8_t* word(int64_t i) const { return elements() + i * width_; }
  StringRef bytes() const { return bytes_; }

 private:
  const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(bytes_.data); }
  int64_t header_bytes() const { return kUnsafeWordBytes + bitset_bytes(size_); }

  StringRef bytes_;
  int64_t width_;
  int64_t size_ = 0;
};

/// Values that lie scattered, as UnsafeColumn wants them.
class Cells {
 public:
  Cells(int64_t size, const BudgetPtr& budget)
      : size_(size), buffer_(Buffer::allocate(size * static_cast<int64_t>(sizeof(Cell)), budget)) {}

  void set(int64_t i, const uint8_t* word, StringRef holder) {
    buffer_->mutable_as<Cell>()[i] = {word, holder.data, holder.length};
  }
  void set_null(int64_t i) { set(i, nullptr, {nullptr, 0}); }

  int64_t size() const { return size_; }
  bool is_null(int64_t i) const { return !cell(i).word; }
  const uint8_t* word(int64_t i) const { return cell(i).word ? cell(i).word : kNoValue; }
  StringRef bytes(int64_t i) const {
    const Cell& c = cell(i);
    return bytes_at({c.holder, c.holder_bytes}, load_unaligned<uint64_t>(c.word));
  }

 private:
  static constexpr uint8_t kNoValue[kUnsafeWordBytes] = {};

  struct Cell {
    const uint8_t* word;  ///< nullptr: null
    const char* holder;   ///< of what the word tells
    int32_t holder_bytes;
  };
  const Cell& cell(int64_t i) const { return buffer_->as<Cell>()[i]; }

  int64_t size_;
  std::shared_ptr<Buffer> buffer_;
};

/// Reads the values of one nested type.
class UnsafeNestedReader {
 public:
  UnsafeNestedReader(const UnsafeBodies& bodies, const DataType& type, const memory::BufferPtr& whole,
                     const BudgetPtr& budget)
      : bodies_(bodies),
        whole_(whole),
        budget_(budget),
        parts_{type, type.physical(), bodies.size(), 0, nullptr, read_validity(), {}, {}} {}

  ColumnPtr read() {
    switch (parts_.physical) {
      case PhysicalType::Struct:
        read_members();
        break;
      case PhysicalType::Map:
        read_maps();
        break;
      case PhysicalType::Null:
      case PhysicalType::Bool:
      case PhysicalType::Int8:
      case PhysicalType::Int16:
      case PhysicalType::Int32:
      case PhysicalType::Int64:
      case PhysicalType::Int128:
      case PhysicalType::Float32:
      case PhysicalType::Float64:
      case PhysicalType::String:
      case PhysicalType::Array:
        read_lists(bodies_, parts_.type.fields()[0].type);
    }
    return columns::Column::flat(std::move(parts_));
  }

 private:
  bool is_null(int64_t i) const { return !bodies_[i].data; }

  memory::BufferPtr read_validity() const {
    std::shared_ptr<Buffer> validity;
    for (int64_t i = 0; i < bodies_.size(); ++i) {
      if (!is_null(i)) continue;
      if (!validity) {
        validity = Buffer::allocate(bits::bytes_for(bodies_.size()), budget_);
        bits::fill(validity->mutable_data(), bodies_.size(), true);
      }
      bits::clear(validity->mutable_data(), i);
    }
    return validity;
  }

  void read_members() {
    const auto& fields = parts_.type.fields();
    const auto num_fields = static_cast<int64_t>(fields.size());
    const int64_t null_bytes = bitset_bytes(num_fields);
    for (int64_t i = 0; i < bodies_.size(); ++i) {
      if (!is_null(i) && bodies_[i].length < null_bytes + num_fields * kUnsafeWordBytes) throw_cut_off();
    }
    for (int64_t field = 0; field < num_fields; ++field) {
      Cells cells(bodies_.size(), budget_);
      for (int64_t i = 0; i < bodies_.size(); ++i) {
        const auto* row = reinterpret_cast<const uint8_t*>(bodies_[i].data);
        if (!row || (row[field / 8] >> (field % 8) & 1) != 0) {
          cells.set_null(i);
        } else {
          cells.set(i, row + null_bytes + field * kUnsafeWordBytes, bodies_[i]);
        }
      }
      parts_.children.push_back(read_cells(cells, fields[static_cast<size_t>(field)].type));
    }
  }

  /// Reads arrays; the offsets are those of the first ones that are read.
  void read_lists(const UnsafeBodies& bodies, const DataType& element) {
    std::vector<ArrayBytes> arrays;
    auto offsets = Buffer::allocate((bodies.size() + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
    auto* offset = offsets->mutable_as<int32_t>();
    int64_t total = 0;
    offset[0] = 0;
    for (int64_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].data) total += arrays.emplace_back(bodies[i], element).size();
      memory::check_offsets(total, "array elements");
      offset[i + 1] = static_cast<int32_t>(total);
    }
    keep_offsets(std::move(offsets));
    parts_.children.push_back(is_in_place(spark_physical(element)) ? read_in_place(arrays, total, element)
                                                                   : read_scattered(arrays, total, element));
  }

  void keep_offsets(memory::BufferPtr offsets) {
    if (!parts_.values) {
      parts_.values = std::move(offsets);
    } else if (std::memcmp(parts_.values->data(), offsets->data(), static_cast<size_t>(offsets->size_bytes())) != 0) {
      throw Error(ErrorKind::Internal, "a map of Spark's has other keys than values");
    }
  }

  void read_maps() {
    UnsafeBodies keys(bodies_.size(), budget_);
    UnsafeBodies values(bodies_.size(), budget_);
    for (int64_t i = 0; i < bodies_.size(); ++i) {
      keys[i] = values[i] = {nullptr, 0};
      if (is_null(i)) continue;
      const StringRef map = bodies_[i];
      if (map.length < kUnsafeWordBytes) throw_cut_off();
      const auto key_bytes = load_unaligned<int64_t>(reinterpret_cast<const uint8_t*>(map.data));
      if (key_bytes < 0 || key_bytes > map.length - kUnsafeWordBytes) throw_cut_off();
      const auto end = static_cast<int32_t>(kUnsafeWordBytes + key_bytes);
      keys[i] = {map.data + kUnsafeWordBytes, static_cast<int32_t>(key_bytes)};
      values[i] = {map.data + end, map.length - end};
    }
    read_lists(keys, parts_.type.fields()[0].type);
    read_lists(values, parts_.type.fields()[1].type);
  }

  ColumnPtr read_in_place(const std::vector<ArrayBytes>& arrays, int64_t total, const DataType& element) const {
    columns::FlatBuilder builder(element, spark_physical(element), total, budget_);
    const int64_t width = element_bytes(element);
    int64_t position = 0;
    for (const ArrayBytes& array : arrays) {
      if (array.size() == 0) continue;
      std::memcpy(builder.values<uint8_t>() + position * width, array.elements(),
                  static_cast<size_t>(array.size() * width));
      for (int64_t i = 0; i < array.size(); ++i) {
        if (array.is_null(i)) bits::clear(builder.validity(), position + i);
      }
      position += array.size();
    }
    return builder.finish();
  }

  ColumnPtr read_scattered(const std::vector<ArrayBytes>& arrays, int64_t total, const DataType& element) const {
    Cells cells(total, budget_);
    int64_t position = 0;
    for (const ArrayBytes& array : arrays) {
      for (int64_t i = 0; i < array.size(); ++i, ++position) {
        array.is_null(i) ? cells.set_null(position) : cells.set(position, array.word(i), array.bytes());
      }
    }
    return read_cells(cells, element);
  }

  ColumnPtr read_cells(const Cells& cells, const DataType& type) const {
    return UnsafeColumn<Cells>(cells, whole_, budget_).read(type);
  }

  const UnsafeBodies& bodies_;
  const memory::BufferPtr& whole_;
  const BudgetPtr& budget_;
  columns::FlatParts parts_;
};

}  // namespace

ColumnPtr read_unsafe_values(const UnsafeBodies& bodies, const DataType& type, const memory::BufferPtr& whole,
                             const BudgetPtr& budget) {
  return UnsafeNestedReader(bodies, type, whole, budget).read();
}

}  // namespace accelerant::io
